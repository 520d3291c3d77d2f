import type { StoreKind } from '../../database/instance.js';
import { onlyValue, type Queryable, rows, value } from '../../database/sql.js';

/** Sends new objects to `to` from now on; has no effect during a move. */
export const beginMove = (db: Queryable, to: StoreKind): Promise<unknown> =>
  rows(
    db,
    `UPDATE instance SET second_store = $1, moving = true, move_started_at = now(), moved_up_to = NULL
     WHERE NOT moving`,
    [to],
  );

/** Id of the last version whose objects are known to be copied. */
export async function selectProgress(db: Queryable): Promise<string | undefined> {
  return (await value<string | null>(db, 'SELECT moved_up_to AS id FROM instance')) ?? undefined;
}

export const saveProgress = (db: Queryable, versionId: string): Promise<unknown> =>
  rows(db, 'UPDATE instance SET moved_up_to = $1', [versionId]);

/** Makes the move's target the store in use; the old store stays as the second one. */
export const finishMove = (db: Queryable): Promise<unknown> =>
  rows(
    db,
    `UPDATE instance SET store = second_store, second_store = store, moving = false,
                         moved_up_to = NULL
     WHERE moving`,
  );

export const forgetSecondStore = (db: Queryable): Promise<unknown> =>
  rows(db, 'UPDATE instance SET second_store = NULL, move_started_at = NULL WHERE NOT moving');

/** Milliseconds since a move began, on the database's clock. */
export async function selectMoveAge(db: Queryable): Promise<number> {
  const found = await value<number>(
    db,
    `SELECT (extract(epoch FROM clock_timestamp() - move_started_at) * 1000)::float8 AS ms
     FROM instance`,
  );
  return found ?? Infinity;
}

/** The current moment on the database's clock, at full precision. */
export const selectNow = (db: Queryable): Promise<string> =>
  onlyValue(db, 'SELECT clock_timestamp()::text AS now');

/**
 * Counts the objects of uploads that began before a moment and are still in progress. Uploads queue
 * their keys for later; deletions queue theirs as due immediately, and failed ones have attempts.
 */
export const countUnsettled = (db: Queryable, before: string): Promise<number> =>
  onlyValue(
    db,
    `SELECT count(*)::int AS n FROM object_reclaim
     WHERE not_before > now() AND attempts = 0 AND created_at <= $1::timestamptz`,
    [before],
  );

/**
 * The id before the first version that an upload may have stored in the old store after the move
 * began. UUIDs of version 7 begin with their time.
 * @param minutes maximum duration of an upload.
 */
export const selectFirstDoubtful = (db: Queryable, minutes: number): Promise<string> =>
  onlyValue(
    db,
    `SELECT rpad(lpad(to_hex((extract(epoch FROM move_started_at - make_interval(mins => $1)) * 1000)::bigint),
                      12, '0'), 32, '0')::uuid AS id
     FROM instance`,
    [minutes],
  );

export const countVersions = (db: Queryable): Promise<number> =>
  onlyValue(db, 'SELECT count(*)::int AS n FROM image_versions');
