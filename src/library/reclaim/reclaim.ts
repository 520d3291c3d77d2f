import type { DataSource, EntityManager } from 'typeorm';
import { column, exists, onlyRow, prepared, type Queryable, rows } from '../../database/sql.js';
import { entityOf, now } from '../../database/columns.js';
import { refusalOf, type ObjectStore } from '../../store/port.js';

// When a deleted file leaves the disk: triggers list the objects of deleted rows in `object_reclaim`, where
// they wait for `store.deletion_delay_hours`, so that a backup of rows taken before finds them; `reclaimOnce`
// deletes what is due, every minute. Uploads list their objects before they write them, due after
// `graceMinutes` without a wait, and take them off with the rows.

/** Objects that no row references: about to be written, or to be deleted (docs/adr/0002). */
const objectReclaimColumns = {
  key: { type: 'text', primary: true },
  notBefore: { name: 'not_before', type: 'timestamptz' },
  attempts: { type: 'integer', default: 0 },
  lastError: { name: 'last_error', type: 'text', nullable: true },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  waits: { type: 'boolean', default: false },
  bytes: { type: 'bigint', default: 0 },
} as const;

export const ObjectReclaimEntity = entityOf('object_reclaim', objectReclaimColumns);

/**
 * $1: limit, $2: whether those that waited, $3: hours after which these are due. Locks rows until the
 * transaction ends, skipping those locked by another transaction (another node's job, or an upload that
 * finishes late).
 */
const lockDueObjects = `
  SELECT key FROM object_reclaim
  WHERE waits = $2 AND not_before <= now() - make_interval(hours => $3)
  ORDER BY not_before
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

const ended = `UPDATE object_reclaim SET waits = false, not_before = now()`;

/** Ends the wait of the oldest objects of each user and platform beyond one quota of bytes. */
const endBeyondQuotas = `
  WITH sums AS (
    SELECT split_part(key, '/', 1)::uuid AS platform_id, split_part(key, '/', 2)::uuid AS user_id,
           sum(bytes) AS bytes
    FROM object_reclaim WHERE waits GROUP BY 1, 2
  ), full_ones AS (
    SELECT user_id::text AS id, max_storage_bytes AS room
    FROM sums JOIN users ON id = user_id WHERE bytes > max_storage_bytes
    UNION ALL
    SELECT platform_id::text, max_bytes
    FROM (SELECT platform_id, sum(bytes) AS bytes FROM sums GROUP BY 1) AS sums
    JOIN platform_limits USING (platform_id) WHERE bytes > max_bytes
  ), waiting AS (
    SELECT key, room, sum(bytes) OVER (
             PARTITION BY id ORDER BY not_before DESC, key ROWS UNBOUNDED PRECEDING) AS bytes
    FROM full_ones JOIN object_reclaim ON id IN (split_part(key, '/', 1), split_part(key, '/', 2))
    WHERE waits
  )
  ${ended} WHERE waits AND key IN (SELECT key FROM waiting WHERE bytes > room)`;

/** $1: bytes. Ends the wait of the oldest objects that have as many. */
const endOldest = `
  WITH waiting AS (
    SELECT key, sum(bytes) OVER (ORDER BY not_before, key ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM object_reclaim WHERE waits
  )
  ${ended} WHERE waits AND key IN (SELECT key FROM waiting WHERE before < $1)`;

/** Of a platform, the first part of keys, or a user, the second. */
const owner = (parameter: string): string =>
  `${parameter} IN (split_part(key, '/', 1), split_part(key, '/', 2))`;

/** Ends the wait of objects: of a platform or user, or all if null. */
export const endWaits = (db: Queryable, ownerId: string | null): Promise<unknown> =>
  rows(db, `${ended} WHERE waits AND ($1::text IS NULL OR ${owner('$1')})`, [ownerId]);

/** $1: keys. */
const forgetObjects = `DELETE FROM object_reclaim WHERE key = ANY($1::text[])`;

/**
 * $1: keys, $2: error. Retries after 10 s, 20 s, 40 s … up to an hour, randomized between half and
 * the full delay, so that one bad key does not end up in the same batch again and again.
 */
const postponeObjects = `
  UPDATE object_reclaim
  SET attempts = attempts + 1,
      last_error = $2,
      created_at = CASE WHEN waits THEN now() ELSE created_at END,
      waits = false,
      not_before = clock_timestamp()
        + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10)))
        * (0.5 + random() / 2)
  WHERE key = ANY($1::text[])`;

/**
 * $1: hours that objects wait. One row. A failed attempt puts off the next one, so `not_before` does not tell
 * since when.
 */
const backlog = `
  SELECT count(*) AS pending,
         count(*) FILTER (WHERE due <= now()) AS due,
         count(*) FILTER (WHERE attempts > 0) AS failing,
         count(*) FILTER (WHERE waits AND due > now()) AS waiting,
         coalesce(sum(bytes) FILTER (WHERE waits AND due > now()), 0)::float8 AS "waitingBytes",
         min(CASE WHEN attempts > 0 THEN created_at ELSE due END)
           FILTER (WHERE attempts > 0 OR due <= now()) AS oldest
  FROM (SELECT *, not_before + CASE WHEN waits THEN make_interval(hours => $1) ELSE '0' END AS due
        FROM object_reclaim) AS listed`;

/**
 * Failures of single keys after which the store, rather than the keys, is assumed to be at fault.
 */
const maxSingleFailures = 3;

/** Keys that a result names, and the longest reason that is kept, in characters. */
const maxNamed = 5;
const maxReason = 500;

interface ReclaimOptions {
  readonly dataSource: DataSource;
  readonly store: Pick<ObjectStore, 'delete' | 'check'>;
  /** Hours that objects of deleted rows wait, `store.deletion_delay_hours`; default: 0. */
  readonly delayHours?: number;
  /** Bytes that the disk lacks: as many are deleted before their time. */
  readonly lacking?: number;
  /** Keys per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current batch. */
  readonly signal?: AbortSignal;
}

interface ReclaimResult {
  /** Objects deleted, along with their rows. */
  readonly deleted: number;
  /** Objects postponed to a later attempt. */
  readonly failed: number;
  /** Why the first of them failed, by key. */
  readonly failures?: Readonly<Record<string, string>>;
}

/**
 * Deletes every object that is due in `object_reclaim`: objects first, then their rows, so that a
 * crash in between only repeats work. Several nodes may run it at once.
 *
 * @throws ServiceError `unavailable` when the store as a whole cannot be used; rows stay untouched.
 */
export async function reclaimOnce(options: ReclaimOptions): Promise<ReclaimResult> {
  const { dataSource, store, delayHours = 0, lacking = 0, batchSize = 500, signal } = options;
  // In a store that is not ours, or not mounted, everything would count as deleted.
  await store.check();
  await rows(dataSource, endBeyondQuotas);
  if (lacking > 0) await rows(dataSource, endOldest, [lacking]);
  let deleted = 0;
  let failed = 0;
  const failures = new Map<string, string>();
  for (const due of [
    [batchSize, false, 0],
    [batchSize, true, delayHours],
  ]) {
    while (!signal?.aborted) {
      const batch = await dataSource.transaction((manager) => reclaimBatch(manager, store, due));
      deleted += batch.deleted;
      failed += batch.failures.size;
      for (const [key, reason] of batch.failures) {
        if (failures.size < maxNamed) failures.set(key, reason);
      }
      // Nothing is due, or everything failed: failed keys have their own retry times.
      if (batch.deleted === 0) break;
    }
  }
  return { deleted, failed, ...(failed > 0 && { failures: Object.fromEntries(failures) }) };
}

interface ReclaimedBatch {
  readonly deleted: number;
  readonly failures: ReadonlyMap<string, string>;
}

async function reclaimBatch(
  manager: EntityManager,
  store: Pick<ObjectStore, 'delete'>,
  due: readonly unknown[],
): Promise<ReclaimedBatch> {
  const keys = await column<string>(manager, lockDueObjects, due);
  if (keys.length === 0) return { deleted: 0, failures: new Map() };
  const failures = await deleteObjects(store, keys);
  const gone = keys.filter((key) => !failures.has(key));
  if (gone.length > 0) await manager.query(forgetObjects, [gone]);
  for (const [reason, failing] of byReason(failures)) {
    await manager.query(postponeObjects, [failing, reason.slice(0, maxReason)]);
  }
  return { deleted: gone.length, failures };
}

/** Deletes the objects. @returns the error of each key that failed; usually none. */
async function deleteObjects(
  store: Pick<ObjectStore, 'delete'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  try {
    await store.delete(keys);
    return failures;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal.reasons;
    // One of them may be at fault, and must not hold up the others.
  }
  for (const key of keys) {
    if (failures.size >= maxSingleFailures) {
      failures.set(key, 'not attempted: the store failed for other objects');
      continue;
    }
    try {
      await store.delete([key]);
    } catch (error) {
      failures.set(key, describe(error));
    }
  }
  return failures;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Keys grouped by the reason of their failure. */
function byReason(failures: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, reason] of failures) {
    groups.set(reason, [...(groups.get(reason) ?? []), key]);
  }
  return groups;
}

interface ReclaimBacklog {
  readonly pending: number;
  readonly due: number;
  /** Those that could not be deleted so far, and will be tried again. */
  readonly failing: number;
  /** Those of deleted rows whose time has not come, and what the quota counted of them. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Since when the oldest of those that are due or failing should have been deleted. */
  readonly oldest: Date | null;
}

/** The state of `object_reclaim`, for status and metrics. @param delayHours as for `reclaimOnce`. */
export const reclaimBacklog = (db: Queryable, delayHours = 0): Promise<ReclaimBacklog> =>
  onlyRow(db, backlog, [delayHours]);

/** What waits of the files of a user or a platform. */
export interface WaitingObjects {
  readonly objects: number;
  readonly bytes: number;
}

/** @param ownerId a platform or a user. */
export const waitingObjects = (db: Queryable, ownerId: string): Promise<WaitingObjects> =>
  onlyRow(
    db,
    `SELECT count(*) AS objects, coalesce(sum(bytes), 0)::float8 AS bytes
     FROM object_reclaim WHERE waits AND ${owner('$1')}`,
    [ownerId],
  );

export interface WaitingUser extends WaitingObjects {
  readonly platform_id: string;
  readonly user_id: string;
  /** When the oldest of them was deleted. */
  readonly since: Date;
}

/** The users of whose files most waits. */
export const mostWaiting = (db: Queryable, limit: number): Promise<WaitingUser[]> =>
  rows(
    db,
    `SELECT split_part(key, '/', 1) AS platform_id, split_part(key, '/', 2) AS user_id,
            count(*) AS objects, sum(bytes)::float8 AS bytes, min(not_before) AS since
     FROM object_reclaim WHERE waits GROUP BY 1, 2 ORDER BY sum(bytes) DESC, 2 LIMIT $1`,
    [limit],
  );

/** An object whose deletion has failed. */
interface UndeletableObject {
  readonly key: string;
  readonly attempts: number;
  readonly reason: string;
}

/** Objects that could not be deleted; those that failed most often first. */
export const undeletableObjects = (db: Queryable, limit: number): Promise<UndeletableObject[]> =>
  rows(
    db,
    `SELECT key, attempts, coalesce(last_error, '') AS reason FROM object_reclaim
     WHERE attempts > 0 ORDER BY attempts DESC, key LIMIT $1`,
    [limit],
  );

/** Objects of a deleted platform or user that are still stored. */
export interface RemainingObjects {
  readonly objects: number;
  /** Those that could not be deleted so far. */
  readonly failing: number;
  /** Why one of them could not be deleted. */
  readonly reason: string | null;
}

/** What is still to be deleted of a platform, or of one of its users. @param ownerId as above. */
export const remainingObjects = (db: Queryable, ownerId: string): Promise<RemainingObjects> =>
  onlyRow(
    db,
    `SELECT count(*) AS objects, count(*) FILTER (WHERE attempts > 0) AS failing,
            max(last_error) FILTER (WHERE attempts > 0) AS reason
     FROM object_reclaim WHERE ${owner('$1')}`,
    [ownerId],
  );

/**
 * Maximum time between queueing keys and referencing them, in minutes; the reclaim job leaves them
 * alone until then. Keys of deleted rows have no grace period.
 */
export const graceMinutes = 60;

/** $1: keys, $2: minutes until they are due. */
const keysInsert = prepared(`
  INSERT INTO object_reclaim (key, not_before)
  SELECT key, now() + make_interval(mins => $2) FROM unnest($1::text[]) AS key
  ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before, waits = false`);

/**
 * Queues keys that are about to be written, so that a crash after this point leaves no orphans. One
 * that an earlier attempt has queued gets the time anew; if its object is just being deleted, waits.
 * @param minutes until they are due.
 */
export const queueKeys = (db: Queryable, keys: readonly string[], minutes = graceMinutes) =>
  rows(db, keysInsert, [keys, minutes]);

/**
 * Removes keys from the queue, in the transaction that references them.
 * @returns false if a key was already gone or past its grace period: its object may be deleted at
 * any moment.
 */
export async function unqueueKeys(tx: Queryable, keys: readonly string[]): Promise<boolean> {
  const removed = await rows(
    tx,
    `DELETE FROM object_reclaim WHERE key = ANY ($1::text[]) AND not_before > now() RETURNING key`,
    [keys],
  );
  return removed.length === keys.length;
}

/** Whether the reclaim queue contains a key. */
export const isQueued = (db: Queryable, key: string) =>
  exists(db, `SELECT FROM object_reclaim WHERE key = $1`, [key]);
