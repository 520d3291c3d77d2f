import { join } from 'node:path';
import { badConfiguration, wrongUsage } from '../../base/errors/operator.js';
import { readMasterKey } from '../../http/auth/secrets.js';
import { openDirectory } from '../../ops/backup/open-repository.js';
import { assertInitialised } from '../../ops/home.js';
import { openStores } from '../../ops/stores.js';
import { keepWal } from '../../ops/wal/keep-wal.js';
import { choosePassphrase } from '../ask.js';
import type { Context } from '../context.js';
import { openMigratedDatabase } from '../open.js';
import { progressMeter } from '../progress.js';
import { parseKeep } from './backup-prune.js';
import type { BackupOptions } from './make-backup.js';

/** Archives the WAL of a private database, until it is interrupted. */
export async function archiveWal(context: Context, options: BackupOptions): Promise<void> {
  const { dir: place } = options;
  const { home, ui, interrupted: signal } = context;
  if (place === '-' || place.startsWith('s3://')) throw elsewhere(place);
  const keep = parseKeep(options.keep);
  const { values: config } = await context.settings();
  if (config['database.url'] !== undefined) throw foreign();
  await assertInitialised(home);
  const master = await readMasterKey(home);
  const repository = await openDirectory(place, { home, create: true });
  const passphrase = options.withSecrets
    ? await choosePassphrase(context, config, true)
    : undefined;
  const { db, server, close } = await openMigratedDatabase(context, config);
  try {
    const { superuserUrl } = server;
    if (superuserUrl === undefined) throw foreign();
    const { store } = await openStores(db, config, home, master);
    const link = store.only !== 's3' && !options.copy;
    const kept = await keepWal({
      db,
      home,
      server,
      superuserUrl,
      store,
      repository,
      keep,
      passphrase,
      signal,
      masterKey: master,
      fileOf: link ? (key) => join(home.store, key) : undefined,
      report: ui.progress,
      copied: progressMeter(ui),
    });
    ui.result({
      document: { archive: repository.name, ...kept },
      text: `${repository.name} can restore any instant from ${kept.from} to ${kept.until}.`,
    });
  } finally {
    await close();
  }
}

const foreign = () =>
  badConfiguration('The database is not private: its WAL has to be archived with other tools.', {
    setting: 'database.url',
    remedy:
      'Set up pgBackRest, Barman, or the tools of your database provider, and back up files without --wal (docs/backup.md).',
  });

const elsewhere = (place: string) =>
  wrongUsage(`WAL is archived to a directory, not to ${place}.`, {
    setting: 'DIR',
    remedy:
      'Name a directory, preferably on another disk or machine; from there, copy it elsewhere.',
  });
