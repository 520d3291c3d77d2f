import { readdir, readFile } from 'node:fs/promises';

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
  /** Megabytes of all the processes together. */
  readonly memoryMb: number;
  /** Of the first one. */
  readonly descriptors: number;
}

/** Watches what processes hold, until it is stopped. */
export class ProcessWatch {
  #peaks: Peaks = { memoryMb: 0, descriptors: 0 };
  #stopped = false;
  readonly #watching: Promise<void>;

  /**
   * @param pids asked each time, the service's own first: children come and go.
   * @param onLook told what is held now, several times a second.
   */
  constructor(
    private readonly pids: () => Promise<readonly number[]>,
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
      const pids = await this.pids();
      const sizes = await Promise.all(pids.map(residentMb));
      const now = {
        memoryMb: sizes.reduce((sum, size) => sum + size, 0),
        descriptors: await openDescriptors(pids[0] ?? 0),
      };
      this.#peaks = {
        memoryMb: Math.max(this.#peaks.memoryMb, now.memoryMb),
        descriptors: Math.max(this.#peaks.descriptors, now.descriptors),
      };
      this.onLook(now);
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }
}
