import { counted } from '../base/units.js';
import { categories, type Check, type Level } from '../ops/doctor/check.js';
import { isFixable, type Examined } from '../ops/doctor/examine.js';

const marks: Record<Level, string> = { ok: '✓', warning: '!', problem: '✗', skipped: '–' };

/** The items of each category below its heading. */
function grouped<T>(
  items: readonly T[],
  checkOf: (item: T) => Check,
  linesOf: (item: T) => string[],
): string[] {
  return Object.entries(categories).flatMap(([category, heading]) => {
    const own = items.filter((item) => checkOf(item).category === category);
    return own.length > 0 ? [heading, ...own.flatMap(linesOf), ''] : [];
  });
}

/** What `doctor --list` shows. */
export function describeChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const line = ({ name, title, fix }: Check): string[] => [
    `  ${name.padEnd(width)}  ${title}${fix ? ' (--fix)' : ''}`,
  ];
  return grouped(checks, (check) => check, line)
    .join('\n')
    .trimEnd();
}

export interface Wording {
  /** Whether to also list checks that passed. */
  readonly complete: boolean;
  /** The command that fixes what can be fixed without risk. */
  readonly cure: string;
}

/** Findings for people, with their remedies. */
export function describeExamined(found: readonly Examined[], { complete, cure }: Wording): string {
  const shown = found.filter(
    ({ diagnosis: { level }, fixed }) =>
      complete || level === 'warning' || level === 'problem' || fixed !== undefined,
  );
  const lines = grouped(shown, ({ check }) => check, linesOf);
  const fixable = found.filter((one) => isFixable(one) && one.fixed === undefined).length;
  const offer = fixable > 0 ? [`${fixable} of these can be fixed with: ${cure}`] : [];
  return [...lines, summaryOf(found), ...offer].join('\n');
}

function linesOf({ check, diagnosis, fixed }: Examined): string[] {
  const { level, message, remedy } = diagnosis;
  const [first = '', ...others] = message.split('\n');
  return [
    `  ${marks[level]} ${check.name}: ${first}`,
    ...others.map((line) => `      ${line}`),
    ...(fixed === undefined ? [] : [`      Fixed: ${fixed}`]),
    ...(remedy === undefined ? [] : [`      Remedy: ${remedy}`]),
  ];
}

function summaryOf(found: readonly Examined[]): string {
  const count = (level: Level): number =>
    found.filter(({ diagnosis }) => diagnosis.level === level).length;
  const [problems, warnings, skipped] = [count('problem'), count('warning'), count('skipped')];
  const parts = [
    ...(problems > 0 ? [counted(problems, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const well = problems + warnings === 0 ? 'all well' : '';
  return `${counted(found.length, 'check')}: ${[well, ...parts].filter(Boolean).join(', ')}.`;
}
