import { constants } from 'node:os';
import { guarded } from '../base/guarded.js';
import { secondMs } from '../base/units.js';

/** Thrown when the operator interrupts a command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor(
    readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP',
    /** What to do now, where that is not obvious. */
    readonly remedy?: string,
  ) {
    super('Interrupted.');
  }

  /** The exit code that shells report for a process ended by a signal. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** The interruption behind an error, if any: abort errors carry it as their cause. */
export function interruptionOf(error: unknown): Interrupted | undefined {
  if (error instanceof Interrupted) return error;
  if (!(error instanceof Error)) return undefined;
  // A prompt reads Ctrl-C as a key, so no signal is raised.
  if (error.name === 'ExitPromptError') return new Interrupted('SIGINT');
  return interruptionOf(error.cause);
}

/** Runs work; if it is interrupted, the error says what to do next. */
export async function advising<T>(remedy: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const interruption = interruptionOf(error);
    throw interruption ? new Interrupted(interruption.signal, remedy) : error;
  }
}

/** One Ctrl-C can arrive twice, from the terminal and forwarded by npm, milliseconds apart. */
const echoMs = secondMs;

/**
 * From now on handles SIGTERM, SIGINT, and SIGHUP (terminal closed). The first one aborts the
 * returned signal, and the command then stops what it started. A later one ends the process at
 * once, unless it is a duplicate of the first.
 */
export function onInterruption(): AbortSignal {
  const stopping = new AbortController();
  const stop = (reason: unknown): void => stopping.abort(reason);
  let first = 0;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const handle = guarded(stop, () => {
      if (first === 0) {
        first = performance.now();
        stop(new Interrupted(signal));
      } else if (performance.now() - first > echoMs) {
        process.off(signal, handle);
        process.kill(process.pid, signal);
      }
    });
    process.on(signal, handle);
  }
  // The program that started this process over a channel, such as "imgstore up", is gone.
  const orphaned = (): void => stopping.abort(new Interrupted('SIGTERM'));
  process.once('disconnect', guarded(orphaned, orphaned));
  process.channel?.unref();
  return stopping.signal;
}
