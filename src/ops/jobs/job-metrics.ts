import { jobLastRun, jobLastSuccess, jobRuns, jobSeconds } from '../../base/telemetry/metrics.js';
import { secondMs } from '../../base/units.js';

/** Creates the series of a job that has not run yet. */
export function countNone(job: string): void {
  for (const outcome of ['ok', 'failed']) jobRuns.of(job, outcome);
}

/** Counts a run of a job that has just ended. */
export function countRun(job: string, ms: number, outcome: 'ok' | 'failed'): void {
  const now = Date.now() / secondMs;
  jobRuns.of(job, outcome).add();
  jobSeconds.of(job).set(ms / secondMs);
  jobLastRun.of(job).set(now);
  if (outcome === 'ok') jobLastSuccess.of(job).set(now);
}
