import { readFile } from 'node:fs/promises';
import type { Scope } from './scope.js';
import type { Appliance } from './appliance.js';

/** Reading the memory of a dozen processes takes a tenth of a second. */
const intervalMs = 250;

/** Proportional set size in megabytes: shared pages count once among those that share them. */
export async function residentMb(pids: readonly number[]): Promise<number> {
  const sizes = pids.map(async (pid) => {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  });
  return Math.round((await Promise.all(sizes)).reduce((sum, kb) => sum + kb, 0) / 1024);
}

/** Memory of all processes of a service, now. Megabytes. */
export const memoryOf = async (service: Appliance): Promise<number> =>
  residentMb(await service.processes());

/** Watches the memory of all processes of a service. */
export class PeakMemory {
  #peak: number;
  #stopped = false;
  readonly #watching: Promise<void>;

  private constructor(
    private readonly service: Appliance,
    private readonly before: number,
  ) {
    this.#peak = before;
    this.#watching = this.#watch();
  }

  /** @param scope stops the watch in case the test fails before it does so itself. */
  static async watch(scope: Scope, service: Appliance): Promise<PeakMemory> {
    const watch = new PeakMemory(service, await memoryOf(service));
    scope.after(async () => void (await watch.stop()));
    return watch;
  }

  /** @returns megabytes at the beginning, and the peak. */
  async stop(): Promise<{ before: number; peak: number }> {
    this.#stopped = true;
    await this.#watching;
    return { before: this.before, peak: this.#peak };
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      this.#peak = Math.max(this.#peak, await memoryOf(this.service));
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }
}
