import { didYouMean } from '../../base/text.js';
import { loadSettings } from '../../base/config/load.js';
import { checks } from '../../ops/doctor/checks.js';
import type { Check } from '../../ops/doctor/check.js';
import { DoctorContext } from '../../ops/doctor/context.js';
import { examine, isFixable, applyFixes, type Examined } from '../../ops/doctor/examine.js';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import type { Context } from '../context.js';
import { describeChecks, describeExamined } from '../doctor-text.js';
import { SilentExit } from '../silent-exit.js';

interface Options {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly fix?: boolean;
}

/** Exits with 3 if there is a problem; warnings alone do not count. */
export async function examineHome(
  context: Context,
  { list = false, only, fix = false }: Options,
): Promise<void> {
  const { ui } = context;
  const chosen = only ? named(only) : checks;
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
    document: documentOf(found),
    text: describeExamined(found, {
      complete: ui.resultOnTerminal,
      cure: commandLine('doctor', '--fix', '--home', context.home.dir),
    }),
  });
  if (found.some(({ diagnosis }) => diagnosis.level === 'problem')) {
    throw new SilentExit(ExitCode.different);
  }
}

/** @throws OperatorError (2) for an unknown name. */
function named(words: readonly string[]): Check[] {
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

function documentOf(found: readonly Examined[]) {
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
