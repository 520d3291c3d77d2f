import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ProcessSettings, SurveyOutcome } from './protocol.js';
import { secondMs } from '../units.js';

const surveyProgram = fileURLToPath(new URL('../../workers/survey-task.js', import.meta.url));

/** Pictures looked at side by side: each takes milliseconds. */
export const surveysAtOnce = 2;
const heapMb = 64;
/** A survey reads little and is bounded: what takes longer is a disk that does not answer. */
const limitMs = 20 * secondMs;

/**
 * Looks at the structure of pictures before a decoder sees them. That is JavaScript, which can be
 * stopped at any point and does not corrupt memory: threads of the service do, and no picture waits
 * for a decoder to be free.
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
