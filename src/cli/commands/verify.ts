import { Option } from 'commander';
import type { Config } from '../../base/config/options.js';
import { byteSize } from '../../base/config/setting.js';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { lowerPriority } from '../../base/os/run.js';
import { counted, sizeText } from '../../base/units.js';
import type { VerifiedMaps } from '../../ops/verify/database.js';
import type { FindingReport } from '../../ops/verify/findings.js';
import type { Verified } from '../../ops/verify/verify.js';
import type { CommandDetails, RunnableCommand } from '../command.js';
import { proving as backup } from './backup.js';
import { accounts } from './verify-accounts.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withStore } from '../open.js';
import { SilentExit } from '../ui.js';

const store: Omit<RunnableCommand, 'name' | 'description'> = {
  options: [
    new Option(
      '--deep',
      'Also read files and compare their bytes, from where the last run stopped',
    ),
    new Option(
      '--bytes <size>',
      'Amount to read with --deep, or all; default: verify.bytes_per_night',
    ),
    new Option(
      '--repair',
      'Move files that nothing refers to into quarantine, and rebuild damaged maps; delete nothing',
    ),
  ],
  settings: ['verify.bytes_per_night'],
  examples: ['verify store', 'verify store --deep --bytes 100GB', 'verify store --repair'],
  run: verifyStore,
};

export const command: CommandDetails = {
  ...store,
  commands: [
    {
      name: 'store',
      description: 'Verify that files are present, intact, and needed; so does "verify" alone',
      ...store,
    },
    accounts,
    {
      name: 'backup',
      description: 'Prove a backup without the original: hashes, rows, a trial restore',
      ...backup,
    },
  ],
};

interface VerifiedStore extends Verified {
  readonly maps: VerifiedMaps;
  /** Objects of deleted images, kept for this long, for backups. */
  readonly waits_for_deletion: {
    readonly objects: number;
    readonly bytes: number;
    readonly hours: number;
  };
}

/** A verification for people: what is wrong, what was done, what to do. */
function describeVerified(verified: VerifiedStore): string {
  const { differences, differences_total: objects, ok, maps, waits_for_deletion: waits } = verified;
  const total = objects + maps.differences_total;
  const more = objects - differences.length;
  const remedies = [...new Set([...differences.map(({ remedy }) => remedy), ...mapRemedies(maps)])];
  return [
    ...differences.map(line),
    ...(more > 0 ? [`… and ${more.toLocaleString('en')} more.`] : []),
    ...maps.users.map((user) => `${'map'.padEnd(17)} user ${user}: ${mapState(maps)}`),
    ...maps.platforms.map((id) => `${'map'.padEnd(17)} platform ${id}: ${mapState(maps)}`),
    ...done(verified),
    ok
      ? `Everything is in its place: ${scope(verified)}.`
      : `${counted(total, 'difference')}; ${scope(verified)}.`,
    ...(waits.objects > 0
      ? [
          `${counted(waits.objects, 'object')} (${sizeText(waits.bytes)}) of deleted images ${waits.objects === 1 ? 'waits' : 'wait'} ${waits.hours} hours for deletion.`,
        ]
      : []),
    ...remedies.map((remedy) => `Remedy: ${remedy}`),
  ].join('\n');
}

const mapState = ({ rebuilt }: VerifiedMaps): string =>
  rebuilt > 0 ? 'rebuilt from the images' : 'differs from the images';

const mapRemedies = ({ ok, rebuilt }: VerifiedMaps): string[] =>
  ok || rebuilt > 0 ? [] : [`Run "${commandLine('verify', '--repair')}", which rebuilds maps.`];

function line({ kind, key, image_id: image, user_id: user, ...rest }: FindingReport): string {
  const { expected, found, reason } = rest;
  const whose = image === null ? '' : `image ${image}, user ${user}: `;
  const bytes =
    expected === null || found === null ? '' : `, ${found} bytes instead of ${expected}`;
  return `${kind.padEnd(17)} ${whose}${key}${bytes}${reason === null ? '' : ` (${reason})`}`;
}

function done({ quarantined, put_back: back }: Verified): string[] {
  return [
    ...(back.objects > 0
      ? [`Put back ${counted(back.objects, 'object')} from quarantine that rows refer to.`]
      : []),
    ...(quarantined.objects > 0
      ? [
          `Moved ${counted(quarantined.objects, 'object')} (${sizeText(quarantined.bytes)}) into quarantine; see: ${commandLine('quarantine', 'list')}`,
        ]
      : []),
  ];
}

function scope({ versions, objects, young_objects: young, contents }: Verified): string {
  return [
    counted(versions, 'stored version'),
    counted(objects, 'object'),
    ...(young > 0 ? [`${young.toLocaleString('en')} too young to judge`] : []),
    ...(contents
      ? [
          `${sizeText(contents.bytes)} of ${counted(contents.versions, 'version')} read${contents.round_ended ? '' : '; the next run continues from there'}`,
        ]
      : []),
  ].join(', ');
}

interface Options {
  readonly deep?: boolean;
  readonly repair?: boolean;
  readonly bytes?: string;
}

async function verifyStore(context: Context, options: Options): Promise<void> {
  const { verifyObjects } = await import('../../ops/verify/verify.js');
  const { reclaimBacklog } = await import('../../library/reclaim/reclaim.js');
  const { verifyMaps } = await import('../../ops/verify/database.js');
  const given = givenBudget(options);
  const repair = options.repair === true;
  const again = `Run the same command again${options.deep ? ': it continues reading where it stopped' : ''}.`;
  const document = await advising(again, () =>
    withStore(context, async ({ config, ...parts }) => {
      lowerPriority();
      const objects = await verifyObjects({
        ...parts,
        repair,
        ...(options.deep && { reading: { budget: given ?? usualBudget(config), rest: 0 } }),
      });
      const { db, report, signal } = parts;
      const maps = await verifyMaps({ db, repair, report, signal });
      const hours = config['store.deletion_delay_hours'];
      const { waiting, waitingBytes } = await reclaimBacklog(db, hours);
      const waits = { objects: waiting, bytes: waitingBytes, hours };
      return { ...objects, ok: objects.ok && maps.ok, maps, waits_for_deletion: waits };
    }),
  );
  context.ui.result({ document, text: describeVerified(document) });
  if (!document.ok) throw new SilentExit(ExitCode.different);
}

/** Bytes to read as given by `--bytes`. @throws OperatorError 2. */
function givenBudget({ deep, bytes }: Options): number | undefined {
  if (bytes === undefined) return undefined;
  if (!deep) {
    throw wrongUsage('--bytes limits what --deep reads, but --deep was not given.', {
      setting: '--bytes',
      remedy: commandLine('verify', '--deep', '--bytes', bytes),
    });
  }
  if (bytes === 'all') return Infinity;
  const { data } = byteSize.safeParse(bytes);
  if (data) return data;
  throw wrongUsage(`--bytes must be a size such as 500MB or 20GB, or all, not "${bytes}".`, {
    setting: '--bytes',
    remedy: commandLine('verify', '--deep', '--bytes', '20GB'),
  });
}

const usualBudget = (config: Config): number => config['verify.bytes_per_night'] || Infinity;
