import { didYouMean } from '../../base/text.js';
import { Option } from 'commander';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { counted } from '../../base/units.js';
import { type Check, categories, type Level } from '../../ops/doctor/check.js';
import type { Examined } from '../../ops/doctor/examine.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { SilentExit } from '../ui.js';

export const command: CommandDetails = {
  options: [
    new Option('--list', 'List the checks without running them'),
    new Option('--only <name,…>', 'Run only these checks').argParser((words: string) =>
      words.split(',').map((word) => word.trim()),
    ),
    new Option('--fix', 'Fix what can be fixed without risk, and report what was done'),
  ],
  offers: {
    '--only': async () =>
      (await import('../../ops/doctor/checks.js')).checks.map(({ name }) => name),
  },
  examples: [
    'doctor',
    'doctor --list',
    'doctor --only database,store,public-url',
    'doctor --fix',
    'doctor --json',
  ],
  run: examineHome,
};

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
function describeChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const line = ({ name, title, fix }: Check): string[] => [
    `  ${name.padEnd(width)}  ${title}${fix ? ' (--fix)' : ''}`,
  ];
  return grouped(checks, (check) => check, line)
    .join('\n')
    .trimEnd();
}

interface Wording {
  /** Whether to also list checks that passed. */
  readonly complete: boolean;
  /** The command that fixes what can be fixed without risk. */
  readonly cure: string;
}

/** Findings for people, with their remedies. */
async function describeExamined(
  found: readonly Examined[],
  { complete, cure }: Wording,
): Promise<string> {
  const { isFixable } = await import('../../ops/doctor/examine.js');
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

interface Options {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly fix?: boolean;
}

/** Exits with 3 if there is a problem; warnings alone do not count. */
async function examineHome(
  context: Context,
  { list = false, only, fix = false }: Options,
): Promise<void> {
  const { checks } = await import('../../ops/doctor/checks.js');
  const { ui } = context;
  const chosen = only ? await named(only) : checks;
  if (list) {
    const document = chosen.map(({ name, category, title, fix: cure }) => ({
      name,
      category,
      title,
      fixable: cure !== undefined,
    }));
    return ui.result({ document, text: describeChecks(chosen) });
  }
  if (ui.onTerminal) ui.progress(`Examining ${context.home.dir}`);
  const found = await examineWith(context, chosen, fix);
  ui.result({
    document: await documentOf(found),
    text: await describeExamined(found, {
      complete: ui.resultOnTerminal,
      cure: commandLine('doctor', '--fix', '--home', context.home.dir),
    }),
  });
  if (found.some(({ diagnosis }) => diagnosis.level === 'problem')) {
    throw new SilentExit(ExitCode.different);
  }
}

/** @throws OperatorError (2) for an unknown name. */
async function named(words: readonly string[]): Promise<Check[]> {
  const { checks } = await import('../../ops/doctor/checks.js');
  const names = checks.map(({ name }) => name);
  const unknown = words.find((word) => !names.includes(word));
  if (unknown === undefined) return checks.filter(({ name }) => words.includes(name));
  throw wrongUsage(`There is no check "${unknown}"${didYouMean(unknown, names) || '.'}`, {
    setting: '--only',
    remedy: `${commandLine('doctor', '--list')} lists all.`,
  });
}

async function examineWith(
  context: Context,
  chosen: readonly Check[],
  fix: boolean,
): Promise<Examined[]> {
  const { DoctorContext } = await import('../../ops/doctor/context.js');
  const { loadSettings } = await import('../../base/config/load.js');
  const { examine, applyFixes } = await import('../../ops/doctor/examine.js');
  const { home, flags, interrupted } = context;
  const doctor = new DoctorContext({
    home,
    interrupted,
    env: process.env,
    loadSettings: () => loadSettings({ flags, env: process.env, home }),
    requireHome: () => context.checkHome('home'),
  });
  try {
    const found = await examine(chosen, doctor);
    return fix ? await applyFixes(found, doctor) : found;
  } finally {
    await doctor.close();
  }
}

async function documentOf(found: readonly Examined[]) {
  const { isFixable } = await import('../../ops/doctor/examine.js');
  const count = (level: string): number =>
    found.filter(({ diagnosis }) => diagnosis.level === level).length;
  return {
    ok: count('problem') === 0,
    problems: count('problem'),
    warnings: count('warning'),
    skipped: count('skipped'),
    checks: found.map((one) => ({
      name: one.check.name,
      category: one.check.category,
      title: one.check.title,
      level: one.diagnosis.level,
      message: one.diagnosis.message,
      remedy: one.diagnosis.remedy ?? null,
      fixable: isFixable(one),
      fixed: one.fixed ?? null,
    })),
  };
}
