import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { withDescendants } from './processes.js';

const intervalMs = 200;

/** Resident memory of a process in megabytes; 0 if it has ended. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** The number of open file descriptors of a process. */
export const openDescriptors = (pid: number): Promise<number> =>
  readdir(`/proc/${pid}/fd`).then(
    (names) => names.length,
    () => 0,
  );

export interface Peaks {
  /** Memory of the service and its child processes, in megabytes. */
  readonly memoryMb: number;
  /** Memory of the service process alone, in megabytes. */
  readonly serviceMb: number;
  /** Open file descriptors of the service process. */
  readonly descriptors: number;
}

const none: Peaks = { memoryMb: 0, serviceMb: 0, descriptors: 0 };

/** Samples the memory and descriptors of a service and its children until it is stopped. */
export class ProcessWatch {
  #peaks = none;
  #stopped = false;
  readonly #watching: Promise<void>;

  /**
   * @param pid returns the current pid of the service, which may be restarted.
   * @param onSample called with each sample, several times a second.
   */
  constructor(
    private readonly pid: () => number,
    private readonly onSample: (now: Peaks) => void = () => undefined,
  ) {
    this.#watching = this.#watch();
  }

  async stop(): Promise<Peaks> {
    this.#stopped = true;
    await this.#watching;
    return this.#peaks;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const now = await this.#sample();
      const { memoryMb, serviceMb, descriptors } = this.#peaks;
      this.#peaks = {
        memoryMb: Math.max(memoryMb, now.memoryMb),
        serviceMb: Math.max(serviceMb, now.serviceMb),
        descriptors: Math.max(descriptors, now.descriptors),
      };
      this.onSample(now);
      await delay(intervalMs);
    }
  }

  async #sample(): Promise<Peaks> {
    const pid = this.pid();
    const sizes = await Promise.all((await withDescendants([pid])).map(residentMb));
    const memoryMb = sizes.reduce((sum, size) => sum + size, 0);
    const serviceMb = await residentMb(pid);
    return { memoryMb, serviceMb, descriptors: await openDescriptors(pid) };
  }
}
