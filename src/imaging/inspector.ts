import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ProcessSettings, InspectionOutcome } from './protocol.js';
import { secondMs } from '../units.js';

const surveyProgram = fileURLToPath(new URL('../../workers/inspect-task.js', import.meta.url));

/** Images surveyed concurrently; each takes milliseconds. */
export const parallelInspections = 2;
const heapMb = 64;
/**
 * A survey reads little and is bounded: if it takes longer than this, the disk is not responding.
 */
const limitMs = 20 * secondMs;

/**
 * Examines the structure of images before a decoder sees them. This is JavaScript, which can be
 * stopped at any point and does not corrupt memory, so it runs on threads of the service and no
 * image waits for a free decoder.
 */
export class Inspector {
  readonly #pool: Piscina<string, InspectionOutcome>;

  constructor(settings: ProcessSettings) {
    this.#pool = new Piscina({
      filename: surveyProgram,
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
      .catch((error: unknown): InspectionOutcome => ({ kind: 'failed', reason: String(error) }));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
