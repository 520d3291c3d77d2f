import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ProcessSettings, SurveyOutcome } from './protocol.js';
import { secondMs } from '../units.js';

const surveyProgram = fileURLToPath(new URL('../../workers/survey-task.js', import.meta.url));

/** Images surveyed concurrently; each takes milliseconds. */
export const surveysAtOnce = 2;
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
export class Surveyor {
  readonly #pool: Piscina<string, SurveyOutcome>;

  constructor(settings: ProcessSettings) {
    this.#pool = new Piscina({
      filename: surveyProgram,
      minThreads: 1,
      maxThreads: surveysAtOnce,
      idleTimeout: 10 * secondMs,
      workerData: settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
  }

  survey(path: string): Promise<SurveyOutcome> {
    return this.#pool
      .run(path, { signal: AbortSignal.timeout(limitMs) })
      .catch((error: unknown): SurveyOutcome => ({ kind: 'failed', reason: String(error) }));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
