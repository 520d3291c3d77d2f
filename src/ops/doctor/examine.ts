import { forEachLimited } from '../../base/concurrency.js';
import { explainServer } from '../../database/connection-error.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { OperatorError } from '../../base/errors/operator.js';
import { programName } from '../../base/os/command-line.js';
import { errnoOf } from '../../base/os/files.js';
import { secondMs } from '../../base/units.js';
import { problem, skipped, type Check, type Diagnosis } from './check.js';
import { type DoctorContext, Skip, TooLate, withinTime } from './context.js';

/** A diagnosis with its check, and what was done about it. */
export interface Examined {
  readonly check: Check;
  readonly diagnosis: Diagnosis;
  /** What `--fix` did, or why it failed. */
  readonly fixed?: string;
}

/** How long a check may take, in milliseconds; most take a hundredth of a second. */
const limitMs = 30 * secondMs;

/** Checks that run at the same time. */
const parallelChecks = 4;

/**
 * Runs the checks; a failing one does not affect others. @returns their diagnoses, in the order of
 * the checks.
 */
export async function examine(
  checks: readonly Check[],
  context: DoctorContext,
): Promise<Examined[]> {
  const found = new Map<Check, Diagnosis>();
  await forEachLimited(checks, parallelChecks, async (check) => {
    context.interrupted.throwIfAborted();
    found.set(check, await diagnosisOf(check, context));
  });
  context.interrupted.throwIfAborted();
  return checks.flatMap((check) => {
    const diagnosis = found.get(check);
    return diagnosis ? [{ check, diagnosis }] : [];
  });
}

/**
 * Applies safe fixes one after the other, then repeats all checks that reported something: one fix
 * may solve several problems.
 */
export async function applyFixes(
  examined: readonly Examined[],
  context: DoctorContext,
): Promise<Examined[]> {
  const fixes = new Map<Check, string>();
  for (const one of examined.filter(isFixable)) {
    context.interrupted.throwIfAborted();
    fixes.set(one.check, await applyFix(one.check, context));
  }
  if (fixes.size === 0) return [...examined];
  const again = await examine(
    examined.filter(({ diagnosis }) => needsAttention(diagnosis)).map(({ check }) => check),
    context,
  );
  const seen = new Map(again.map(({ check, diagnosis }) => [check, diagnosis]));
  return examined.map(({ check, diagnosis }) => {
    const fixed = fixes.get(check);
    return {
      check,
      diagnosis: seen.get(check) ?? diagnosis,
      ...(fixed !== undefined && { fixed }),
    };
  });
}

/** Whether `--fix` can fix what a check found. */
export const isFixable = ({ check, diagnosis }: Examined): boolean =>
  check.fix !== undefined && needsAttention(diagnosis);

const needsAttention = ({ level }: Diagnosis): boolean =>
  level === 'warning' || level === 'problem';

/** @returns what was done, or why it failed. */
async function applyFix(check: Check, context: DoctorContext): Promise<string> {
  try {
    return (await check.fix?.(context)) ?? '';
  } catch (error) {
    return `It could not be fixed: ${explain(check, error).message}`;
  }
}

async function diagnosisOf(check: Check, context: DoctorContext): Promise<Diagnosis> {
  try {
    const run = async (): Promise<Diagnosis> => check.run(context);
    return await withinTime(limitMs, run(), context.interrupted);
  } catch (error) {
    return explain(check, error);
  }
}

/** The diagnosis of a check that failed. */
function explain({ name }: Check, error: unknown): Diagnosis {
  if (error instanceof Skip) return skipped(error.message);
  if (error instanceof TooLate) {
    return problem(
      `There was no answer within ${error.ms / secondMs} seconds.`,
      'Check the load and the disks of this machine, and of what it depends on: uptime; df -h; dmesg',
    );
  }
  const known = error instanceof OperatorError ? error : explainServer(error);
  if (known) return problem(known.message, known.remedy ?? 'See the log of the service.');
  if (['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) {
    return problem(
      `This user (uid ${process.getuid?.()}) lacks permission: ${(error as Error).message}.`,
      `Run it as the user that owns the home, or as root: sudo ${programName()} doctor`,
    );
  }
  const { message } =
    error instanceof ServiceError && error.cause ? (error.cause as Error) : (error as Error);
  return problem(
    `The check failed: ${message}`,
    `If the message is no help, report it with the name of the check, ${name}.`,
  );
}
