import { duration } from '../../base/config/setting.js';
import { Argument, Option } from 'commander';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { secondMs, counted, sizeText } from '../../base/units.js';
import { confirm } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withStore } from '../open.js';
import { SilentExit } from '../ui.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'list',
      description: 'List how much was moved on each day, or the files of one day',
      arguments: [new Argument('[date]', 'Such as 2026-11-22; lists up to 1,000 files')],
      examples: ['quarantine list', 'quarantine list 2026-11-22'],
      run: listQuarantine,
    },
    {
      name: 'restore',
      description: 'Move the files of a day, or one file, back to where they were',
      arguments: [new Argument('<date-or-key>', 'A day of the list, or a key of one')],
      examples: ['quarantine restore 2026-11-22', 'quarantine restore KEY'],
      run: restoreFromQuarantine,
    },
    {
      name: 'purge',
      description: 'Permanently delete old files from quarantine',
      options: [new Option('--older-than <duration>', 'Minimum time in quarantine').default('30d')],
      asks: true,
      examples: ['quarantine purge', 'quarantine purge --older-than 90d'],
      run: purgeOldQuarantine,
    },
  ],
};

const amount = ({ objects, bytes }: { objects: number; bytes: number }): string =>
  `${counted(objects, 'object')} (${sizeText(bytes)})`;

async function listQuarantine(context: Context, { date: day }: { date?: string }): Promise<void> {
  const { quarantineDays } = await import('../../ops/verify/quarantine.js');
  if (day !== undefined) return listDay(context, day);
  const days = await withStore(context, ({ store }) => quarantineDays(store));
  context.ui.list({
    document: { days },
    headers: ['DATE', 'OBJECTS', 'SIZE'],
    rows: days.map(({ date, objects, bytes }) => [
      date,
      objects.toLocaleString('en'),
      sizeText(bytes),
    ]),
    none: 'The quarantine is empty.',
  });
}

async function listDay(context: Context, day: string): Promise<void> {
  const { quarantinedOn } = await import('../../ops/verify/quarantine.js');
  const found = await withStore(context, ({ store }) => quarantinedOn(store, requireDay(day)));
  const objects = found.map(({ key, bytes }) => ({ key, bytes }));
  context.ui.list({
    document: { date: day, objects },
    headers: ['SIZE', 'KEY'],
    rows: objects.map(({ key, bytes }) => [sizeText(bytes), key]),
    none: `Nothing was moved into quarantine on ${day}.`,
  });
}

function requireDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw wrongUsage(`The date must be one of the list, such as 2026-11-22, not "${text}".`, {
    setting: 'date',
    remedy: commandLine('quarantine', 'list'),
  });
}

async function restoreFromQuarantine(
  context: Context,
  { dateOrKey: which }: { dateOrKey: string },
): Promise<void> {
  const { restoreQuarantined } = await import('../../ops/verify/quarantine.js');
  const document = await withStore(context, (parts) => restoreQuarantined(parts, which));
  const { taken } = document;
  const text = [
    ...taken.map((key) => `stays in quarantine, because another object has its key: ${key}`),
    `Restored ${amount(document)}.`,
  ].join('\n');
  context.ui.result({ document, text });
  if (taken.length > 0) throw new SilentExit(ExitCode.failure);
}

async function purgeOldQuarantine(
  context: Context,
  { olderThan }: { readonly olderThan: string },
): Promise<void> {
  const { purgeable, purgeQuarantine } = await import('../../ops/verify/quarantine.js');
  const { data: seconds } = duration.safeParse(olderThan);
  if (seconds === undefined) {
    throw wrongUsage(`--older-than must be a duration such as 30d or 12h, not "${olderThan}".`, {
      setting: '--older-than',
      remedy: commandLine('quarantine', 'purge', '--older-than', '30d'),
    });
  }
  const ms = seconds * secondMs;
  const document = await withStore(context, async (parts) => {
    const due = await purgeable(parts.store, ms);
    if (due.objects === 0) return { objects: 0, bytes: 0, needed: 0 };
    await confirm(context, `Permanently delete ${amount(due)} from quarantine?`);
    return purgeQuarantine(parts, ms);
  });
  const { needed } = document;
  const stay = `${counted(needed, 'object')} stayed because rows need them; to put them back: ${commandLine('verify', '--repair')}`;
  const text = `Deleted ${amount(document)} from quarantine.${needed > 0 ? `\n${stay}` : ''}`;
  context.ui.result({ document, text });
  if (needed > 0) throw new SilentExit(ExitCode.different);
}
