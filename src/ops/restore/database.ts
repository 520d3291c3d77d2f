import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { withoutLimits } from '../../database/data-source.js';
import { readInstance, type StoreKind } from '../../database/instance.js';
import { migrate } from '../../database/migrations.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { rows } from '../../database/sql.js';
import { startFeedClock } from '../../feed/changes/clock.js';
import { newSecret } from '../../feed/webhooks/message.js';
import { noteAct } from '../../http/audit/acts.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { rowsOfDump } from '../backup/dump-rows.js';
import type { Generation } from '../backup/generation.js';
import { loadRows, namedLeft } from '../backup/load-rows.js';
import { copyVerified, generationFile, type Repository } from '../backup/repository.js';
import { analyze, holdsTables, settleStore } from '../dumps.sql.js';
import { readServerVersion } from '../totals.js';
import { olderServer } from './obstacles.js';

export interface RestoreDatabaseParts {
  readonly repository: Repository;
  readonly generation: Generation;
  readonly home: Home;
  readonly db: DataSource;
  readonly url: string;
  readonly store: StoreKind;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Restores the rows, unless an interrupted restore has done so, and migrates them.
 * @returns the migrations that were applied.
 */
export async function restoreRows(parts: RestoreDatabaseParts): Promise<string[]> {
  const { repository, generation, home, db, url, report, signal } = parts;
  if (!(await isRestored(db, generation))) {
    const server = Number((await readServerVersion(db)).split('.')[0]);
    if (server < generation.postgresql) throw olderServer(generation.postgresql, server);
    report('Restoring the database');
    const programs = await findDumpPrograms(server, home);
    const path = generationFile(generation.id, 'database.dump');
    const dump = join(home.incoming, 'database.dump');
    await copyVerified(repository, path, { copy: dump, sum: generation.dump });
    const source = await rowsOfDump(programs, dump, signal);
    const on = { programs, target: db, url, folder: home.incoming, signal };
    namedLeft(await loadRows({ ...on, source }), report);
    await rm(dump);
  }
  const applied = await migrate(db, report);
  await startFeedClock(db);
  await settleStore(db, parts.store);
  const own = await withoutLimits(db).initialize();
  try {
    await analyze(own);
  } finally {
    await own.destroy();
  }
  return applied;
}

/** A dump is restored as a whole or not at all. */
const isRestored = async (db: DataSource, generation: Generation): Promise<boolean> =>
  (await holdsTables(db)) && (await readInstance(db)).id === generation.instance_id;

/** Counts of what had been encrypted with the lost master key. */
export interface Rekeyed {
  readonly signing_keys: number;
  readonly webhooks: number;
}

/**
 * Switches restored rows to a new master key. Data encrypted with the lost one can no longer be
 * read: signing keys are revoked, and with them all tokens; webhook secrets are replaced, and the
 * webhooks paused, since receivers do not know the new secrets; stored replays are deleted.
 */
export const rekey = (db: DataSource, master: MasterKey): Promise<Rekeyed> =>
  db.transaction(async (tx) => {
    const keys = await rows<{ id: string }>(tx, 'SELECT id FROM signing_keys FOR UPDATE');
    for (const { id } of keys) {
      // The row stays, so that tokens signed with the key count as revoked.
      await rows(
        tx,
        `UPDATE signing_keys SET sealed = $2, revoked_at = coalesce(revoked_at, now())
         WHERE id = $1`,
        [id, master.seal(randomBytes(32), id)],
      );
    }
    const webhooks = await rows<{ id: string }>(tx, 'SELECT id FROM webhooks FOR UPDATE');
    const reason = 'restored without the master key: rotate the secret, then resume';
    for (const { id } of webhooks) {
      await rows(
        tx,
        `UPDATE webhooks
         SET sealed = $2, sealed_before = NULL, paused_reason = $3, updated_at = now()
         WHERE id = $1`,
        [id, newSecret(master, id).sealed, reason],
      );
    }
    await rows(tx, 'DELETE FROM idempotency_keys');
    const rekeyed = { signing_keys: keys.length, webhooks: webhooks.length };
    await noteAct(tx, { act: 'keys.replace', details: rekeyed });
    return rekeyed;
  });
