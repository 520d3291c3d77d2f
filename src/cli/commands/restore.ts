import { Option } from 'commander';
import { ExitCode, failure, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { counted, sizeText } from '../../base/units.js';
import type { Rekeyed } from '../../ops/restore/contents.js';
import type { Restored } from '../../ops/restore/restore.js';
import { choosePassphrase } from '../ask.js';
import type { CommandDetails } from '../command.js';
import { flaggedValues, type Context } from '../context.js';
import { advising } from '../interrupt.js';
import { progressMeter } from '../progress.js';
import { SilentExit } from '../ui.js';
import { generationOption, placeArgument } from './backup.js';
import { readCheckpoints } from './custody.js';
import { givenKeyFile } from './init.js';

export const command: CommandDetails = {
  arguments: [placeArgument()],
  options: [
    generationOption(),
    new Option(
      '--at <time>',
      'The instant to restore from a directory of "backup --wal" (default: the last)',
    ),
    new Option('--master-key-file <file>', 'Master key, for a backup without secrets'),
    new Option(
      '--new-master-key',
      'Replace a lost master key by a new one; ends all tokens and signed URLs',
    ).conflicts('masterKeyFile'),
    new Option(
      '--unauthenticated',
      'Trust a backup or WAL archive that the master key does not prove to be your own',
    ),
    new Option(
      '--as-clone',
      'Become another installation: new id, keys and tokens; webhooks are paused, links end',
    ),
    new Option(
      '--checkpoint <a,b,…>',
      'Newest checkpoints of the logs, by commas: a log that fits goes on, others begin anew',
    ),
    new Option('--force', 'Move the contents of the home aside; leave those of the bucket'),
  ],
  settings: ['database.url', 's3.endpoint', 's3.bucket'],
  examples: [
    'restore /mnt/backup --home /var/lib/imgstore',
    'restore /mnt/wal --at 2026-11-22T14:00:00Z',
  ],
  run: restoreBackup,
};

interface RestoreOptions {
  readonly dir: string;
  readonly generation?: string;
  readonly at?: string;
  readonly masterKeyFile?: string;
  readonly newMasterKey?: boolean;
  readonly asClone?: boolean;
  readonly checkpoint?: string;
  readonly force?: boolean;
  readonly unauthenticated?: boolean;
}

async function restoreBackup(context: Context, options: RestoreOptions): Promise<void> {
  const { openRepository, repositoryTypeOf, openDirectory } =
    await import('../../ops/backup/open-repository.js');
  const { restore } = await import('../../ops/restore/restore.js');
  const { restoreAt } = await import('../../ops/restore/restore-at.js');
  const { runAsOperator } = await import('../../http/audit/acts.js');
  const { dir: place, generation, masterKeyFile = givenKeyFile() } = options;
  const { newMasterKey = false, force = false, unauthenticated = false } = options;
  const { asClone = false } = options;
  const checkpoints = await readCheckpoints(options.checkpoint);
  const at = options.at === undefined ? undefined : instantOf(options.at);
  const { home, ui, interrupted: signal } = context;
  const settings = await context.settings('nothing');
  const { values: config } = settings;
  const repository = await openRepository(place, { home, config });
  const copied = progressMeter(ui);
  const work = async (): Promise<Restored> => {
    const parts = {
      home,
      config,
      masterKeyFile,
      newMasterKey,
      asClone,
      checkpoints,
      force,
      unauthenticated,
      signal,
      chosen: flaggedValues(settings),
      passphrase: () => choosePassphrase(context, config, false),
      report: ui.progress,
      copied,
    };
    if ((await repositoryTypeOf(repository)) !== 'archive') {
      if (at) throw noWal(place);
      return restore({ ...parts, repository, generation });
    }
    if (generation !== undefined) throw noGenerations(place);
    if (asClone) throw noClones(place);
    const archive = await openDirectory(place, { home, create: false });
    return restoreAt({ ...parts, repository: archive, at });
  };
  const document = await advising(again, () => runAsOperator(context.operator, work));
  const ok = document.damaged.length === 0 && document.verified.ok;
  ui.result({ document: { ok, ...document }, text: textOf(document, ok) });
  if (!ok) throw new SilentExit(ExitCode.different);
}

/** A time without a zone would be ambiguous. */
const instant =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/i;

function instantOf(text: string): Date {
  const [, day = '', time = '', zone = ''] = instant.exec(text.trim()) ?? [];
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2');
  const moment = new Date(`${day}T${time}${offset.toUpperCase()}`);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw wrongUsage('--at must be a time with its zone.', {
    setting: '--at',
    remedy: `Write it like this: 2026-11-22T14:00:00Z, or '2026-11-22 23:00:00+09:00'`,
  });
}

const noWal = (place: string) =>
  failure(`${place} has no WAL, only backups of certain instants.`, {
    setting: '--at',
    remedy: `Choose one of those with --generation, or name a directory of "${commandLine('backup', 'DIR', '--wal')}".`,
  });

const noGenerations = (place: string) =>
  wrongUsage(`${place} contains WAL, which can restore any instant.`, {
    setting: '--generation',
    remedy: 'Choose one with --at.',
  });

const noClones = (place: string) =>
  wrongUsage(`${place} contains WAL, which restores the original itself.`, {
    setting: '--as-clone',
    remedy: 'Restore a backup that was made without --wal.',
  });

const again = 'Run the same command again: it continues where this one stopped.';

/** What to do after the master key of the backup was lost. */
const rekeyedText = ({ webhooks }: Rekeyed, home: string): string[] => [
  `The home has a new master key: all tokens and signed URLs issued before are invalid. New ones: ${commandLine('admin', 'token', '--home', home)}, then "platform token" and "user token".`,
  ...(webhooks === 0
    ? []
    : [
        `${counted(webhooks, 'webhook')} paused: each needs a new secret (POST …/rotate), then "webhook resume".`,
      ]),
];

function textOf(restored: Restored, ok: boolean): string {
  const { home, taken_at, objects, bytes, damaged, moved_aside: aside, verified } = restored;
  const { differences_total: differences } = verified;
  return [
    ...damaged.map((key) => `missing or damaged in the backup: ${key}`),
    ...(aside === null ? [] : [`The former contents are in ${aside}.`]),
    `${home} is restored as of ${taken_at}: ${counted(objects, 'object')}, ${sizeText(bytes)}.`,
    ...(restored.rekeyed ? rekeyedText(restored.rekeyed, home) : []),
    ok
      ? 'Rows, counters, and objects agree.'
      : `${counted(differences, 'difference')}; to list them: ${commandLine('verify', 'accounts', '--home', home)}`,
    `Next: ${commandLine('serve', '--home', home)}`,
  ].join('\n');
}
