import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { withDescendants } from './processes.js';

const intervalMs = 200;

/** Resident megabytes of a process; 0 when there is none. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Open descriptors of a process. */
export const openDescriptors = (pid: number): Promise<number> =>
  readdir(`/proc/${pid}/fd`).then(
    (names) => names.length,
    () => 0,
  );

export interface Peaks {
  /** Megabytes of the service and the processes that it started. */
  readonly memoryMb: number;
  /** Megabytes of the service itself. */
  readonly serviceMb: number;
  /** Of the service. */
  readonly descriptors: number;
}

const none: Peaks = { memoryMb: 0, serviceMb: 0, descriptors: 0 };

/** Watches what a service and its children hold, until it is stopped. */
export class ProcessWatch {
  #peaks = none;
  #stopped = false;
  readonly #watching: Promise<void>;

  /**
   * @param pid of the service as it is now: it may start again.
   * @param onLook told what is held now, several times a second.
   */
  constructor(
    private readonly pid: () => number,
    private readonly onLook: (now: Peaks) => void = () => undefined,
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
      const now = await this.#look();
      const { memoryMb, serviceMb, descriptors } = this.#peaks;
      this.#peaks = {
        memoryMb: Math.max(memoryMb, now.memoryMb),
        serviceMb: Math.max(serviceMb, now.serviceMb),
        descriptors: Math.max(descriptors, now.descriptors),
      };
      this.onLook(now);
      await delay(intervalMs);
    }
  }

  async #look(): Promise<Peaks> {
    const pid = this.pid();
    const sizes = await Promise.all((await withDescendants([pid])).map(residentMb));
    const memoryMb = sizes.reduce((sum, size) => sum + size, 0);
    const serviceMb = await residentMb(pid);
    return { memoryMb, serviceMb, descriptors: await openDescriptors(pid) };
  }
}
