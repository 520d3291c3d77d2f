import { Piscina } from 'piscina';
import { bundleFile } from '../base/installed-files.js';
import type { ProcessSettings, InspectionOutcome } from './protocol.js';
import { secondMs } from '../base/units.js';

/** Images inspected concurrently; each takes milliseconds. */
export const parallelInspections = 2;
const heapMb = 64;
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';
/**
 * An inspection reads little and is bounded: if it takes longer than this, the disk is not
 * responding.
 */
const limitMs = 20 * secondMs;

/**
 * Inspects the structure of images before a decoder sees them. This is JavaScript, which can be
 * stopped at any point and cannot corrupt memory, so it runs on threads of the service, and no
 * image has to wait for a free decoder.
 */
export class Inspector {
  readonly #pool: Piscina<string, InspectionOutcome>;

  constructor(settings: ProcessSettings) {
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
      .run(path, { signal: AbortSignal.timeout(limitMs) })
      .catch((error: unknown): InspectionOutcome => {
        const reason = String(error);
        const isOutOfMemory = (error as NodeJS.ErrnoException).code === outOfMemory;
        if (isOutOfMemory) return { kind: 'refused', code: 'image_too_complex', reason };
        return { kind: 'failed', reason };
      });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
