import { counted } from '../../base/units.js';
import { wrongUsage } from '../../base/errors/operator.js';
import {
  findMajorUpgrade,
  privateDatabase,
  requireSpaceForCopy,
  type MajorUpgrade,
} from '../../ops/upgrade/new-database.js';
import { replaceDatabase } from '../../ops/upgrade/replace.js';
import { commandLine } from '../../base/os/command-line.js';
import { oldClusters, removeOldClusters } from '../../database/postgres/next-cluster.js';
import { serviceDataSource } from '../../ops/service-database.js';
import { confirm } from '../confirm.js';
import type { Context } from '../context.js';
import { openMigratedDatabase } from '../database.js';
import { advising } from '../interrupt.js';

export const stillInUse =
  'The former database is still in use. Run the same command again to start over.';

/** With one session of our own, any other session belongs to somebody else. */
export const oneSession = { 'database.pool_size': 1 } as const;

export async function upgradeDatabase(
  context: Context,
  { removeOld }: { removeOld?: boolean },
): Promise<void> {
  if (removeOld) return removeOldOnes(context);
  const { home, ui, interrupted: signal } = context;
  const { values: config } = await context.settings();
  const found = await findMajorUpgrade(home, config['database.url']);
  const { from, engine } = found;
  if (!engine) return ui.result({ document: { upgraded: false, from }, text: nothingNewer(found) });
  const parts = { home, report: ui.progress, signal };
  const { tables, rows, dump, kept } = await advising(stillInUse, () =>
    replaceDatabase({
      ...parts,
      open: () => openMigratedDatabase(context, { ...config, ...oneSession }),
      prepare: async ({ db }) => {
        await requireSpaceForCopy(home, db);
        return privateDatabase(parts, engine);
      },
      dataSource: (url) => serviceDataSource(url, config),
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
  const { home, ui } = context;
  await context.settings();
  const old = await oldClusters(home);
  if (old.length === 0) {
    throw wrongUsage(`${home.database} has no former database.`, { setting: '--remove-old' });
  }
  await confirm(context, `Delete ${old.join(', ')}?`);
  const removed = await removeOldClusters(home);
  ui.result({ document: { removed }, text: `Deleted: ${removed.join(', ')}.` });
}
