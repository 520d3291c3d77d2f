import { rm, access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import type { Settings } from '../../base/config/load.js';
import { variableOf } from '../../base/config/options.js';
import { postgresUrl } from '../../base/config/setting.js';
import { wrongUsage, badConfiguration, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { counted } from '../../base/units.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { ensureEngine } from '../../database/postgres/ensure-engine.js';
import type { MajorUpgrade } from '../../ops/upgrade/new-database.js';
import { confirm } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { openMigratedDatabase } from '../open.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'upgrade',
      description: 'Copy the private database to the newest installed PostgreSQL, and switch to it',
      options: [new Option('--remove-old', 'Delete the databases that upgrades have replaced')],
      asks: true,
      examples: ['database upgrade', 'database upgrade --remove-old'],
      run: upgradeDatabase,
    },
    {
      name: 'move',
      description: 'Copy the database to another server, verify the copy, and switch to it',
      options: [
        new Option('--to <url>', 'An empty database, or private for one in the home'),
        new Option('--remove-old', 'Delete the private database that a move left behind'),
      ],
      asks: true,
      examples: [
        'database move --to postgresql://USER:PASSWORD@HOST/DATABASE',
        'database move --to private',
      ],
      run: moveDatabase,
    },
    {
      name: 'restore',
      description: 'Restore a dump that was made before migrations',
      arguments: [new Argument('<dump>', 'A file in the directory dumps of the home')],
      options: [
        new Option('--to <url>', 'An empty database, required if the database is external'),
      ],
      asks: true,
      examples: ['database restore dumps/20261122T204500Z-of-0.2.0.dump'],
      run: restoreDatabaseDump,
    },
  ],
};

const stillInUse = 'The former database is still in use. Run the same command again to start over.';

/** With one session of our own, any other session belongs to somebody else. */
const oneSession = { 'database.pool_size': 1 } as const;

async function upgradeDatabase(
  context: Context,
  { removeOld }: { removeOld?: boolean },
): Promise<void> {
  const { findMajorUpgrade, requireSpaceForCopy, privateDatabase } =
    await import('../../ops/upgrade/new-database.js');
  const { replaceDatabase } = await import('../../ops/upgrade/replace.js');
  if (removeOld) return removeOldOnes(context);
  const { home, ui, interrupted: signal } = context;
  const { values: config } = await context.settings();
  const found = await findMajorUpgrade(home, config['database.url']);
  const { from, engine } = found;
  if (!engine) return ui.result({ document: { upgraded: false, from }, text: nothingNewer(found) });
  const parts = { home, config, report: ui.progress, signal };
  const { tables, rows, dump, kept } = await advising(stillInUse, () =>
    replaceDatabase({
      ...parts,
      open: () => openMigratedDatabase(context, { ...config, ...oneSession }),
      prepare: async ({ db }) => {
        await requireSpaceForCopy(home, db);
        return privateDatabase(parts, engine);
      },
    }),
  );
  const document = { upgraded: true, from, to: engine.major, tables, rows, dump, kept };
  const text = [
    `The database now runs on PostgreSQL ${engine.major}: ${counted(rows, 'row')} in ${counted(tables, 'table')}, all compared.`,
    `The former database is kept in ${kept ?? ''} until you run: ${commandLine('database', 'upgrade', '--remove-old', '--home', home.dir)}`,
    `Next: ${commandLine('serve', '--home', home.dir)}`,
  ].join('\n');
  ui.result({ document, text });
}

function nothingNewer({ from, offer }: MajorUpgrade): string {
  const here = `The database runs on PostgreSQL ${from}, and no newer version with PostGIS is installed here.`;
  return offer === undefined ? here : `${here} To install one: ${offer}`;
}

async function removeOldOnes(context: Context): Promise<void> {
  const { oldClusters, removeOldClusters } =
    await import('../../database/postgres/next-cluster.js');
  const { home, ui } = context;
  await context.settings();
  const old = await oldClusters(home);
  if (old.length === 0) {
    throw wrongUsage(`${home.database} has no former database.`, {
      code: 'missing',
      setting: '--remove-old',
    });
  }
  await confirm(context, `Delete ${old.join(', ')}?`);
  const removed = await removeOldClusters(home);
  ui.result({ document: { removed }, text: `Deleted: ${removed.join(', ')}.` });
}

async function moveDatabase(
  context: Context,
  { to, removeOld }: { to?: string; removeOld?: boolean },
): Promise<void> {
  const { refuseLeftCluster, foreignDatabase, requireSpaceForCopy, privateInsteadOfForeign } =
    await import('../../ops/upgrade/new-database.js');
  const { replaceDatabase } = await import('../../ops/upgrade/replace.js');
  if (removeOld) return removeFormer(context, to);
  const target = parseTarget(to);
  const { home, ui, interrupted: signal } = context;
  const settings = await context.settings();
  const { values: config } = settings;
  requireOurChoice(settings);
  if (target === config['database.url'] || (target === 'private' && !config['database.url'])) {
    throw wrongUsage('The database is already there.', { code: 'nothing_to_do', setting: '--to' });
  }
  const parts = { home, config, report: ui.progress, signal };
  if (target === 'private') await refuseLeftCluster(home);
  const moved = await advising(stillInUse, () =>
    replaceDatabase({
      ...parts,
      open: () => openMigratedDatabase(context, { ...config, ...oneSession }),
      prepare: async ({ db }) => {
        if (target !== 'private') return foreignDatabase(parts, target);
        await requireSpaceForCopy(home, db);
        const engine = await ensureEngine(engineFolder(home), ui.progress, signal);
        return privateInsteadOfForeign(parts, engine);
      },
    }),
  );
  const { database, tables, rows, kept } = moved;
  const removal = commandLine('database', 'move', '--remove-old', '--home', home.dir);
  const text = [
    `The database is now ${database}: ${counted(rows, 'row')} in ${counted(tables, 'table')}, all compared.`,
    kept === null
      ? 'The former database is unchanged; remove it when you no longer need it.'
      : `The former database is kept in ${kept} until you run: ${removal}`,
    `Next: ${commandLine('serve', '--home', home.dir)}`,
  ].join('\n');
  ui.result({ document: moved, text });
}

function parseTarget(to: string | undefined): string {
  const remedy = 'Give postgresql://USER:PASSWORD@HOST:5432/DATABASE, or private.';
  if (to === undefined) throw wrongUsage('--to is missing.', { setting: '--to', remedy });
  if (to === 'private' || postgresUrl.safeParse(to).success) return to;
  throw wrongUsage('--to must be the URL of a PostgreSQL database, or private.', {
    setting: '--to',
    remedy,
  });
}

/** The move ends with a change of config.yaml, which flags and variables would override. */
function requireOurChoice({ sources }: Settings): void {
  const source = sources['database.url'];
  if (source === 'default' || source === 'file') return;
  const variable = variableOf('database.url');
  const place = source === 'flag' ? 'the flag --database-url' : `the variable ${variable}`;
  throw badConfiguration(
    `The database is set by ${place}, which would still override config.yaml after this.`,
    {
      setting: 'database.url',
      remedy: `Write it into config.yaml instead (${commandLine('config', 'set', 'database.url', 'URL')}), and remove the ${source === 'flag' ? 'flag' : 'variable'}.`,
    },
  );
}

/** Removes the private database that a move has left behind. */
async function removeFormer(context: Context, to: string | undefined): Promise<void> {
  const { withHomeLocked } = await import('../../ops/upgrade/replace.js');
  const { removeOldClusters } = await import('../../database/postgres/next-cluster.js');
  if (to !== undefined) {
    throw wrongUsage('--to and --remove-old cannot be combined.', {
      setting: '--remove-old',
      remedy: 'Move first; remove the former database once you are sure.',
    });
  }
  const { home, ui } = context;
  const { values: config } = await context.settings();
  const { data } = clusterFiles(home);
  if (config['database.url'] === undefined) {
    throw failure(`${data} is the database in use.`, {
      code: 'in_use',
      setting: '--remove-old',
    });
  }
  if ((await clusterMajor(clusterFiles(home))) === undefined) {
    throw wrongUsage(`${home.database} has no former database.`, {
      code: 'missing',
      setting: '--remove-old',
    });
  }
  const { close } = await openMigratedDatabase(context, config); // the database in use must work
  await close();
  await confirm(context, `Delete the former database, ${data}?`);
  // Older clusters first: left alone, they would pass for those that an interrupted upgrade restores.
  const removed = await withHomeLocked(home, async () => [
    ...(await removeOldClusters(home)),
    ...(await rm(data, { recursive: true }).then(() => ['cluster'])),
  ]);
  ui.result({ document: { removed }, text: `Deleted: ${removed.join(', ')}.` });
}

/** Restores a dump that was made before migrations. */
async function restoreDatabaseDump(
  context: Context,
  { dump: path, to }: { dump: string; to?: string },
): Promise<void> {
  const { restoreDump } = await import('../../ops/upgrade/replace.js');
  const { privateDatabase, foreignDatabase } = await import('../../ops/upgrade/new-database.js');
  const { home, ui, interrupted: signal } = context;
  const settings = await context.settings();
  const { values: config } = settings;
  const file = resolve(path);
  await access(file).catch(() => {
    throw wrongUsage(`There is no ${file}.`, {
      setting: 'DUMP',
      remedy: `The dumps of this home are in ${home.dumps}`,
    });
  });
  const privately = config['database.url'] === undefined && to === undefined;
  if (!privately) requireOurChoice(settings);
  if (!privately && to === undefined) {
    throw wrongUsage('The database is external, and is not overwritten.', {
      setting: '--to',
      remedy:
        'Create an empty one on the same server (CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;), and name it with --to URL',
    });
  }
  await confirm(context, `Restore ${file}? Later changes are kept, but no longer in use.`);
  const parts = { home, config, report: ui.progress, signal };
  const restored = await advising(stillInUse, () =>
    restoreDump({
      ...parts,
      file,
      prepare: async () =>
        to === undefined
          ? privateDatabase(parts, await ensureEngine(engineFolder(home), ui.progress, signal))
          : foreignDatabase(parts, to),
    }),
  );
  const { pending, kept } = restored;
  const text = [
    `The database is restored from ${file}.`,
    ...(kept === null ? [] : [`The former database is kept in ${kept}.`]),
    pending.length === 0
      ? 'Files of images stored since then have no rows, and files deleted since then are missing. Compare both:'
      : `It lacks ${pending.length} migrations of this program: install the imgstore that it belongs to, or migrate it again. Then compare it with the stored files:`,
    commandLine('verify', '--home', home.dir),
  ].join('\n');
  ui.result({ document: restored, text });
}
