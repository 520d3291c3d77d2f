import { rm } from 'node:fs/promises';
import { counted } from '../../base/units.js';
import type { Settings } from '../../base/config/load.js';
import { variableOf } from '../../base/config/options.js';
import { postgresUrl } from '../../base/config/setting.js';
import { badConfiguration, failure, wrongUsage } from '../../base/errors/operator.js';
import {
  foreignDatabase,
  privateInsteadOfForeign,
  refuseLeftCluster,
  requireSpaceForCopy,
} from '../../ops/upgrade/new-database.js';
import { replaceDatabase, withHomeLocked } from '../../ops/upgrade/replace.js';
import { commandLine } from '../../base/os/command-line.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { ensureEngine } from '../../database/postgres/ensure-engine.js';
import { removeOldClusters } from '../../database/postgres/next-cluster.js';
import { serviceDataSource } from '../../ops/service-database.js';
import { confirm } from '../confirm.js';
import type { Context } from '../context.js';
import { openMigratedDatabase } from '../database.js';
import { advising } from '../interrupt.js';
import { oneSession, stillInUse } from './database-upgrade.js';

export async function moveDatabase(
  context: Context,
  { to, removeOld }: { to?: string; removeOld?: boolean },
): Promise<void> {
  if (removeOld) return removeFormer(context, to);
  const target = parseTarget(to);
  const { home, ui, interrupted: signal } = context;
  const settings = await context.settings();
  const { values: config } = settings;
  requireOurChoice(settings);
  if (target === config['database.url'] || (target === 'private' && !config['database.url'])) {
    throw wrongUsage('The database is already there.', { setting: '--to' });
  }
  const parts = { home, report: ui.progress, signal };
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
      dataSource: (url) => serviceDataSource(url, config),
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
export function requireOurChoice({ sources }: Settings): void {
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
    throw failure(`${data} is the database in use.`, { setting: '--remove-old' });
  }
  if ((await clusterMajor(clusterFiles(home))) === undefined) {
    throw wrongUsage(`${home.database} has no former database.`, { setting: '--remove-old' });
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
