import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** Exit codes as of the command `imgstore`. */
const wrongUsage = 2;
const dependencyDown = 69;

/** How long a server may take for its first answer. */
const answerMs = 10_000;

const end = (code: number, text: string): never => {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
};

/**
 * The options of a script: `--help` prints how it is used, and anything else than these options
 * prints it too, and ends with 2.
 */
export function readOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: T,
) {
  try {
    const { values } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } } as const,
    });
    if ('help' in values && values.help) return end(0, usage);
    return values;
  } catch (error) {
    return end(wrongUsage, `${(error as Error).message}\n\n${usage}`);
  }
}

/** Ends with 2, and how the script is used. */
export const misused = (what: string, usage: string): never =>
  end(wrongUsage, `${what}\n\n${usage}`);

/**
 * The administrator's token: from the variable `ADMIN_TOKEN`, where neither npm prints it nor other
 * users see it, or the flag.
 */
export const adminToken = (flag: string | undefined, usage: string): string =>
  (flag ?? process.env.ADMIN_TOKEN) || misused('There is no admin token.', usage);

/** Ends with 69 when no server answers at this address. */
export async function requireServer(base: string): Promise<void> {
  try {
    await fetch(`${base}/livez`, { signal: AbortSignal.timeout(answerMs) });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    end(dependencyDown, `No server answers at ${base}: ${reason}`);
  }
}

/** Exit code of a script that was interrupted. */
export const interrupted = 130;

/** Aborts at the first Ctrl-C, so that a script can clean up; the second one ends it at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.stderr.write(
        'Ending what is under way and cleaning up. Ctrl-C again ends at once.\n',
      );
      controller.abort();
    });
  }
  return controller.signal;
}
