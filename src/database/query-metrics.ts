import { queryErrors, querySeconds } from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import { isConnectionError } from './connection-error.js';

const conflicts = new Set(['40001', '40P01', '55P03']);
const seconds = querySeconds.of();

function errorTypeOf(error: unknown): string {
  if (isConnectionError(error)) return 'connection';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '57014') return 'timeout';
  if (conflicts.has(code)) return 'conflict';
  return code.startsWith('23') ? 'constraint' : 'other';
}

/** Measures a statement from when it is sent. @returns its argument. */
export function measured<Answer>(answer: Answer): Answer {
  if (!(answer instanceof Promise)) return answer;
  const began = performance.now();
  const end = (): void => seconds.observe((performance.now() - began) / secondMs);
  answer.then(end, (error: unknown) => {
    end();
    queryErrors.of(errorTypeOf(error)).add();
  });
  return answer;
}
