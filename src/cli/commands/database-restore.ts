import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { wrongUsage } from '../../base/errors/operator.js';
import { foreignDatabase, privateDatabase } from '../../ops/upgrade/new-database.js';
import { restoreDump } from '../../ops/upgrade/replace.js';
import { commandLine } from '../../base/os/command-line.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { ensureEngine } from '../../database/postgres/ensure-engine.js';
import { serviceDataSource } from '../../ops/service-database.js';
import { confirm } from '../confirm.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { requireOurChoice } from './database-move.js';
import { stillInUse } from './database-upgrade.js';

/** Restores a dump that was made before migrations. */
export async function restoreDatabaseDump(
  context: Context,
  { to }: { to?: string },
  [path = '']: string[],
): Promise<void> {
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
  const parts = { home, report: ui.progress, signal };
  const restored = await advising(stillInUse, () =>
    restoreDump({
      ...parts,
      file,
      prepare: async () =>
        to === undefined
          ? privateDatabase(parts, await ensureEngine(engineFolder(home), ui.progress, signal))
          : foreignDatabase(parts, to),
      dataSource: (url) => serviceDataSource(url, config),
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
