import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import type { Home } from '../../base/config/home.js';
import { whileOpen, withoutLimits } from '../../database/data-source.js';
import { readInstance, type StoreKind } from '../../database/instance.js';
import { migrate } from '../../database/migrations.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { column, rows } from '../../database/sql.js';
import { startFeedClock } from '../../feed/changes/upkeep.js';
import { newSecret } from '../../feed/webhooks/message.js';
import { noteAct } from '../../http/audit/acts.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { NewObject, ObjectStore } from '../../store/port.js';
import type { Generation } from '../backup/generation.js';
import { rowsOfDump, loadRows } from '../backup/load-rows.js';
import {
  Summing,
  copyVerified,
  generationFile,
  poolPath,
  type Repository,
} from '../backup/repository.js';
import { analyze, holdsTables, settleStore } from '../dumps.sql.js';
import { readServerMajor } from '../totals.js';
import { olderServer } from './obstacles.js';

interface RestoreDatabaseParts {
  readonly repository: Repository;
  readonly generation: Generation;
  /** That of the generation, or of its clone. */
  readonly instanceId: string;
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
  const { repository, generation, instanceId, home, db, url, report, signal } = parts;
  if (!(await isRestored(db, [generation.instance_id, instanceId]))) {
    const server = await readServerMajor(db);
    if (server < generation.postgresql) throw olderServer(generation.postgresql, server);
    report('Restoring the database');
    const programs = await findDumpPrograms(server, home);
    const path = generationFile(generation.id, 'database.dump');
    const dump = join(home.incoming, 'database.dump');
    await copyVerified(repository, path, generation.dump.sha256, dump);
    const source = await rowsOfDump(programs, dump, signal);
    const folder = home.incoming;
    await loadRows({ programs, target: db, url, source, folder, report, signal });
    await rm(dump);
  }
  const applied = await migrate(db, report);
  await startFeedClock(db);
  await settleStore(db, parts.store);
  await whileOpen(withoutLimits(db), analyze);
  return applied;
}

/** A dump is restored as a whole or not at all. */
const isRestored = async (db: DataSource, ids: readonly string[]): Promise<boolean> =>
  (await holdsTables(db)) && ids.includes((await readInstance(db)).id);

/** Counts of what had been encrypted with the lost master key. */
export interface Rekeyed {
  readonly signing_keys: number;
  readonly webhooks: number;
}

/**
 * Switches restored rows to a new master key. Data encrypted with the lost one can no longer be
 * read: signing keys are revoked, and with them all tokens; webhook secrets are replaced, and the
 * webhooks paused, since receivers do not know the new secrets; stored replays are deleted.
 * @param cloneId the id of a clone, where the addresses of links end as well.
 */
export const rekey = (db: DataSource, master: MasterKey, cloneId?: string): Promise<Rekeyed> =>
  db.transaction(async (tx) => {
    const keys = await column<string>(tx, 'SELECT id FROM signing_keys FOR UPDATE');
    for (const id of keys) {
      // The row stays, so that tokens signed with the key count as revoked.
      await rows(
        tx,
        `UPDATE signing_keys SET sealed = $2, revoked_at = coalesce(revoked_at, now())
         WHERE id = $1`,
        [id, master.seal(randomBytes(32), id)],
      );
    }
    const webhooks = await column<string>(tx, 'SELECT id FROM webhooks FOR UPDATE');
    const how = cloneId === undefined ? 'without the master key' : 'as a clone';
    const reason = `restored ${how}: rotate the secret, then resume`;
    for (const id of webhooks) {
      await rows(
        tx,
        `UPDATE webhooks
         SET sealed = $2, sealed_before = NULL, paused_reason = $3, updated_at = now()
         WHERE id = $1`,
        [id, newSecret(master, id).sealed, reason],
      );
    }
    await rows(tx, 'DELETE FROM idempotency_keys');
    if (cloneId !== undefined) {
      await rows(tx, 'UPDATE instance SET id = $1', [cloneId]);
      await rows(
        tx,
        'UPDATE links SET secret_hash = sha256(uuid_send(gen_random_uuid())), sealed_secret = NULL',
      );
    }
    const rekeyed = { signing_keys: keys.length, webhooks: webhooks.length };
    await noteAct(tx, { act: 'keys.replace', details: rekeyed });
    return rekeyed;
  });

const groupSize = 200;
const parallelReads = 8;

/** Keys that are listed in full. */
const maxListed = 1_000;

/**
 * An object of a backup. Size and hash are null for one that the store had lost before the backup
 * was made, and undefined where neither the backup nor the row has them.
 */
export interface RestorableObject {
  readonly key: string;
  readonly bytes: number | null | undefined;
  readonly sha256: string | null | undefined;
}

interface RestoreObjectsParts {
  readonly repository: Repository;
  /** What the rows need. */
  readonly wanted: AsyncIterable<RestorableObject>;
  readonly store: Pick<ObjectStore, 'put' | 'stat' | 'delete'>;
  /** Folder for objects in transit. */
  readonly scratch: string;
  readonly report: (progress: RestoredObjects) => void;
  readonly signal: AbortSignal;
}

export interface RestoredObjects {
  objects: number;
  bytes: number;
  /** Objects that are missing or damaged in the backup: these were not restored. */
  readonly damaged: string[];
}

/** Puts every object of a backup into a store, except those that it already has. */
export async function restoreObjects(parts: RestoreObjectsParts): Promise<RestoredObjects> {
  const { wanted, store, signal, report } = parts;
  const progress: RestoredObjects = { objects: 0, bytes: 0, damaged: [] };
  for await (const group of inGroups(wanted, groupSize)) {
    signal.throwIfAborted();
    const ready: NewObject[] = [];
    try {
      await forEachLimited(group, parallelReads, async (entry) => {
        const outcome = await prepare(parts, entry);
        if (typeof outcome === 'object') ready.push(outcome);
        if (outcome === 'damaged' && progress.damaged.length < maxListed) {
          progress.damaged.push(entry.key);
        }
        progress.objects += 1;
        progress.bytes += entry.bytes ?? 0;
      });
      await store.put(ready);
    } finally {
      for (const { path } of ready) await rm(path, { force: true });
    }
    report(progress);
  }
  return progress;
}

/** Copies an object from the backup to a local file, unless the store already has it. */
async function prepare(
  { repository, store, scratch }: RestoreObjectsParts,
  { key, bytes, sha256 }: RestorableObject,
): Promise<NewObject | 'present' | 'damaged'> {
  if (bytes === null) return 'damaged';
  const present = await store.stat(key);
  if (present && present.bytes === (bytes ?? present.bytes)) return 'present';
  if (present) await store.delete([key]);
  const source = await repository.read(poolPath(key));
  if (!source) return 'damaged';
  const path = join(scratch, randomUUID());
  const summing = new Summing();
  await pipeline(source, summing.through, createWriteStream(path, { mode: 0o600 }));
  const read = summing.sum().sha256;
  if (sha256 === undefined || read === sha256) return { key, path, sha256: read };
  await rm(path);
  return 'damaged';
}
