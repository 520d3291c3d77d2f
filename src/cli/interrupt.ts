import { constants } from 'node:os';
import { guarded } from '../guard.js';
import { secondMs } from '../units.js';

/** The end of a command that somebody interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor(readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') {
    super('Interrupted.');
  }

  /** As shells tell of a program that a signal ended. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** The interruption behind an error, if there is one: abort errors carry it as their cause. */
export function interruptionOf(error: unknown): Interrupted | undefined {
  if (error instanceof Interrupted) return error;
  if (!(error instanceof Error)) return undefined;
  // A prompt reads Ctrl-C as a key: it never becomes a signal.
  if (error.name === 'ExitPromptError') return new Interrupted('SIGINT');
  return interruptionOf(error.cause);
}

/** One Ctrl-C can arrive twice, from the terminal and handed on by npm; milliseconds between them. */
const echoMs = secondMs;

/**
 * Catches SIGTERM, SIGINT and SIGHUP (a terminal that closes) from now on. The first one aborts the answered signal; the command then
 * ends what it started. Another one, unless it is an echo of the first, ends the process at once.
 */
export function onInterruption(): AbortSignal {
  const stopping = new AbortController();
  const stop = (reason: unknown): void => stopping.abort(reason);
  let first = 0;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const hear = guarded(stop, () => {
      if (first === 0) {
        first = performance.now();
        stop(new Interrupted(signal));
      } else if (performance.now() - first > echoMs) {
        process.off(signal, hear);
        process.kill(process.pid, signal);
      }
    });
    process.on(signal, hear);
  }
  // The program that started this one and holds a channel to it, as "imgstore up" does, has gone.
  const orphaned = (): void => stopping.abort(new Interrupted('SIGTERM'));
  process.once('disconnect', guarded(orphaned, orphaned));
  process.channel?.unref();
  return stopping.signal;
}
