import { guarded } from '../guarded.js';

/**
 * A reader that has seen enough, as in `imgstore … | head`, is no failure: what is written after that
 * is for nobody. A service goes on serving without it.
 */
export function ignoreBrokenPipes(): void {
  const fail = (error: unknown): void => {
    throw error;
  };
  const hear = guarded(fail, (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.on('error', hear);
  process.stderr.on('error', hear);
}
