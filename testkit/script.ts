import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The exit codes of `imgstore`. */
const wrongUsage = 2;
const dependencyDown = 69;

/** Timeout for the first answer of a server. */
const answerMs = 10_000;

const end = (code: number, text: string): never => {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
};

/**
 * Parses the options of a script. `--help` prints the usage; unknown options print it, too, and exit
 * with 2.
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

/** Prints the usage and exits with 2. */
export const misused = (what: string, usage: string): never =>
  end(wrongUsage, `${what}\n\n${usage}`);

/**
 * The number that an option was given; exits with 2 for anything else. @param name of the option.
 * @param least smallest value that makes sense.
 */
export function numberOf(
  [name, text]: readonly [name: string, text: string | undefined],
  usage: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return misused(`There is no --${name}.`, usage);
  const given = Number(text);
  if (text.trim() !== '' && given >= least && given <= most) return given;
  const range =
    most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
  return misused(`--${name} must be a number ${range}, not "${text}".`, usage);
}

/**
 * The administrator's token from the flag or the variable `ADMIN_TOKEN`, which npm does not print and
 * other users cannot see.
 */
export const adminToken = (flag: string | undefined, usage: string): string =>
  (flag ?? process.env.ADMIN_TOKEN) || misused('There is no admin token.', usage);

/** Exits with 69 if no server answers at this URL. */
export async function requireServer(base: string): Promise<void> {
  try {
    await fetch(`${base}/livez`, { signal: AbortSignal.timeout(answerMs) });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    end(dependencyDown, `No server answers at ${base}: ${reason}`);
  }
}

/** Exit code of an interrupted script. */
export const interrupted = 130;

/** Aborts at the first Ctrl-C, so that a script can clean up; a second Ctrl-C exits at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.stderr.write('Stopping and cleaning up. Press Ctrl-C again to exit at once.\n');
      controller.abort();
    });
  }
  return controller.signal;
}
