import { Piscina } from 'piscina';
import { bundleFile } from '../base/installed-files.js';
import { probeIn } from './image-decoder.js';
import type { ProcessSettings, InspectionOutcome } from './protocol.js';
import { secondMs } from '../base/units.js';

/** Images inspected concurrently; each takes milliseconds. */
export const parallelInspections = 2;
const heapMb = 64;
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';
/**
 * An inspection reads little and is bounded: if it takes longer than this, the disk is not
 * responding, or the machine is very busy; or the inspection has a defect.
 */
const usualLimitMs = 20 * secondMs;

/**
 * Inspects the structure of images before a decoder sees them. This is JavaScript, which can be
 * stopped at any point and cannot corrupt memory, so it runs on threads of the service, and no
 * image has to wait for a free decoder.
 */
export class Inspector {
  readonly #pool: Piscina<string, InspectionOutcome>;

  constructor(
    settings: ProcessSettings,
    private readonly limitMs = usualLimitMs,
  ) {
    this.#pool = new Piscina({
      filename: bundleFile('inspect-task'),
      minThreads: 1,
      maxThreads: parallelInspections,
      idleTimeout: 10 * secondMs,
      workerData: settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
  }

  inspect(path: string): Promise<InspectionOutcome> {
    return this.#pool
      .run(path, { signal: AbortSignal.timeout(this.limitMs) })
      .catch((error: unknown): InspectionOutcome => {
        const reason = String(error);
        const isOutOfMemory = (error as NodeJS.ErrnoException).code === outOfMemory;
        if (isOutOfMemory) return { kind: 'refused', code: 'image_too_complex', reason };
        if (error instanceof Error && error.name === 'AbortError')
          return { kind: 'stalled', reason };
        return { kind: 'failed', reason };
      });
  }

  /** Whether an image that is known to be sound can be inspected in this folder. */
  works(folder: string): Promise<boolean> {
    return probeIn(folder, async (path) => (await this.inspect(path)).kind === 'inspected');
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
