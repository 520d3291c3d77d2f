import { Option } from 'commander';
import { validate as isUuid } from 'uuid';
import type { Config } from '../../base/config/options.js';
import { ExitCode, failure, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { agoText, counted, sizeText } from '../../base/units.js';
import type { StoreKind } from '../../database/instance.js';
import type { Queryable } from '../../database/sql.js';
import type { WaitingUser } from '../../library/reclaim/reclaim.js';
import { describeStore, ensureSentinel } from '../../ops/store-sentinel.js';
import type { Act } from '../../http/audit/acts.js';
import { bucketConfigOf } from '../../store/s3/settings.js';
import { confirm } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { openMigratedDatabase, withTenants } from '../open.js';
import { SilentExit } from '../ui.js';

const storeOption = (flag: string): Option => new Option(`${flag} <store>`, 's3 or local');

const stores = (): Promise<string[]> => Promise.resolve(['s3', 'local']);

export const command: CommandDetails = {
  commands: [
    {
      name: 'migrate',
      description: 'Move all files to another store while serving; run again to resume',
      options: [storeOption('--to')],
      offers: { '--to': stores },
      settings: ['s3.endpoint', 's3.bucket', 's3.region'],
      examples: ['store migrate --to s3', 'store migrate --to local'],
      run: migrateStore,
    },
    {
      name: 'clear',
      description: 'Delete what a finished move left in the old store',
      options: [storeOption('--from')],
      offers: { '--from': stores },
      asks: true,
      examples: ['store clear --from local'],
      run: clearOldStore,
    },
    {
      name: 'reclaim',
      description: 'Show what is kept of deleted images, or delete it before its time',
      options: [
        new Option('--now', 'Delete it, instead of after store.deletion_delay_hours'),
        new Option('--of <id>', 'Only what this platform or user had'),
      ],
      asks: true,
      examples: ['store reclaim', 'store reclaim --now', 'store reclaim --now --of USER_ID'],
      run: reclaimStore,
    },
  ],
};

async function migrateStore(context: Context, options: { to?: string }): Promise<void> {
  const to = parseStoreKind('--to', options.to);
  const moved = await migrate(context, to);
  const { from, objects_copied, objects_missing } = moved;
  const missing = objects_missing.map((key) => `missing in both stores: ${key}\n`).join('');
  const text = `${missing}${counted(objects_copied, 'object')} copied; ${to} is now in use. The old objects are kept until you run: ${commandLine('store', 'clear', '--from', from)}`;
  context.ui.result({ document: moved, text });
  if (objects_missing.length > 0) throw new SilentExit(ExitCode.different);
}

async function clearOldStore(context: Context, options: { from?: string }): Promise<void> {
  const from = parseStoreKind('--from', options.from);
  const urls =
    from === 's3' ? 'Signed URLs of the bucket that clients still hold will break. ' : '';
  await confirm(context, `${urls}Delete all objects left in ${from} by the move?`);
  const cleared = await clear(context, from);
  const text = `Deleted ${counted(cleared.objects_deleted, 'object')} from ${from}.`;
  context.ui.result({ document: cleared, text });
}

/** Users that are listed. */
const maxUsers = 100;

async function reclaimStore(
  context: Context,
  { now = false, of: ownerId }: { now?: boolean; of?: string },
): Promise<void> {
  const { endWaits, mostWaiting, reclaimOnce } = await import('../../library/reclaim/reclaim.js');
  if (ownerId !== undefined && (!now || !isUuid(ownerId))) {
    throw wrongUsage(now ? '--of must be the id of a platform or a user.' : '--of needs --now.', {
      setting: '--of',
    });
  }
  await withTenants(context, async ({ db, openStore }) => {
    if (!now) return showWaiting(context, await mostWaiting(db, maxUsers));
    await confirm(context, 'A backup that runs will lack what is deleted now. Delete it?');
    await endWaits(db, ownerId ?? null);
    await note(context, db, { act: 'store.reclaim', details: { of: ownerId ?? null } });
    const { interrupted: signal } = context;
    const result = await reclaimOnce({ dataSource: db, store: await openStore(), signal });
    const { deleted, failed } = result;
    const text = `${counted(deleted, 'object')} deleted, ${failed} could not be deleted.`;
    context.ui.result({ document: result, text });
    if (failed > 0) throw new SilentExit(ExitCode.failure);
  });
}

function showWaiting({ ui }: Context, document: readonly WaitingUser[]): void {
  ui.list({
    document,
    headers: ['PLATFORM', 'USER', 'OBJECTS', 'SIZE', 'OLDEST DELETED'],
    rows: document.map(({ platform_id, user_id, objects, bytes, since }) => [
      platform_id,
      user_id,
      objects.toLocaleString('en'),
      sizeText(bytes),
      agoText(since.toISOString()),
    ]),
    none: 'Nothing is kept of deleted images.',
  });
}

async function note({ operator }: Context, db: Queryable, act: Act): Promise<void> {
  const { runAsOperator, noteAct } = await import('../../http/audit/acts.js');
  await runAsOperator(operator, () => noteAct(db, act));
}

function parseStoreKind(flag: string, value: string | undefined): StoreKind {
  if (value === 's3' || value === 'local') return value;
  throw wrongUsage(`${flag} must be s3 or local.`, { setting: flag });
}

async function migrate(context: Context, to: StoreKind) {
  const { openerOf } = await import('../../ops/stores.js');
  const { moveObjects } = await import('../../ops/move/move.js');
  const { values: config } = await context.settings();
  const { home, ui, interrupted } = context;
  if (to === 's3') bucketConfigOf(config); // throws if a setting is missing
  await requireS3InService(context, to);
  const { db, close } = await openMigratedDatabase(context, config);
  try {
    const open = openerOf(home, config);
    const prepare = (instanceId: string) => prepareStore(context, config, { to, instanceId });
    const parts = { db, home, to, open, prepare, report: ui.progress, signal: interrupted };
    const moved = await moveObjects(parts);
    await note(context, db, { act: 'store.migrate', details: { to } });
    return moved;
  } finally {
    await close();
  }
}

/** Creates the new store, tests it, and marks it. */
async function prepareStore(
  { home, ui }: Context,
  config: Config,
  { to, instanceId }: { to: StoreKind; instanceId: string },
): Promise<void> {
  const { prepareBucket } = await import('../../ops/prepare-bucket.js');
  const { openerOf } = await import('../../ops/stores.js');
  if (to === 's3') {
    const bucketConfig = bucketConfigOf(config);
    const { progress: report, warn } = ui;
    await prepareBucket({ bucketConfig, scratch: home.incoming, report, warn });
  }
  const store = await openerOf(home, config)(to, instanceId);
  const description = describeStore(to, home, config);
  await ensureSentinel({ store, description, instanceId }, home.incoming);
}

/** A service started before the S3 settings existed could not find the moved objects. */
async function requireS3InService({ home }: Context, to: StoreKind): Promise<void> {
  const { findService } = await import('../../ops/home.js');
  const holder = await findService(home);
  if (to === 'local' || !holder || holder.knowsS3) return;
  throw failure('The running service does not have the S3 settings yet.', {
    setting: 's3.endpoint',
    remedy: `Make sure they are in ${home.configFile}, then restart the service (process ${holder.pid}).`,
  });
}

async function clear(context: Context, from: StoreKind) {
  const { openerOf } = await import('../../ops/stores.js');
  const { clearStore } = await import('../../ops/move/clear.js');
  const { values: config } = await context.settings();
  const { db, close } = await openMigratedDatabase(context, config);
  try {
    const open = openerOf(context.home, config);
    const { home, ui, interrupted } = context;
    const parts = { db, home, from, open, report: ui.progress, signal: interrupted };
    const cleared = await clearStore(parts);
    await note(context, db, { act: 'store.clear', details: { from } });
    return cleared;
  } finally {
    await close();
  }
}
