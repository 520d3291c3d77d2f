import { selectList, without } from '../../database/columns.js';
import { countRows, onlyRow, type Queryable, row, value } from '../../database/sql.js';
import { newestOf } from '../../http/paging/newest.js';
import { uploadSetColumns, type UploadSet } from './entity.js';

const readColumns = without(uploadSetColumns, 'userId');

export type UploadSetRow = Readonly<Omit<UploadSet, 'userId'>>;

/** A set `s`. */
const setRow = selectList(readColumns, 's');

export interface NewSet {
  readonly id: string;
  readonly userId: string;
  readonly title: string | null;
  readonly folderId: string | null;
  /** Distinct, in the order given by the client. */
  readonly hashes: readonly Buffer[];
}

/**
 * Inserts a set. Files that the user already has, trash included, count as arrived; they are looked
 * up in index order. The caller must hold the user's lock, so that no file arrives unnoticed in the
 * meantime.
 */
export const insertSet = (tx: Queryable, set: NewSet) =>
  onlyRow<UploadSetRow>(
    tx,
    `WITH given AS MATERIALIZED (
       SELECT file.hash, file.position, present.found IS NOT NULL AS arrived
       FROM (SELECT hash, position FROM unnest($5::bytea[]) WITH ORDINALITY AS f (hash, position)
             ORDER BY hash) AS file
       LEFT JOIN LATERAL (
         SELECT true AS found FROM image_versions v WHERE v.user_id = $2 AND v.hash = file.hash LIMIT 1
       ) AS present ON true
     ),
     s AS (
       INSERT INTO upload_sets (id, user_id, title, folder_id, expected, arrived, completed_at)
       SELECT $1::uuid, $2::uuid, $3::text, $4::uuid, count(*), count(*) FILTER (WHERE arrived),
              CASE WHEN bool_and(arrived) THEN clock_timestamp() END
       FROM given RETURNING *
     ),
     files AS (
       INSERT INTO upload_set_files (upload_set_id, user_id, hash, position, arrived)
       SELECT $1::uuid, $2::uuid, hash, position, arrived FROM given
     )
     SELECT ${setRow} FROM s`,
    [set.id, set.userId, set.title, set.folderId, set.hashes],
  );

/** A set with the missing hashes, in the order given by the client. */
export const selectSet = (db: Queryable, userId: string, id: string) =>
  row<UploadSetRow & { readonly missing: readonly string[] }>(
    db,
    `SELECT ${setRow}, ARRAY(
       SELECT encode(f.hash, 'hex') FROM upload_set_files f
       WHERE f.upload_set_id = s.id AND NOT f.arrived ORDER BY f.position
     ) AS missing
     FROM upload_sets s WHERE s.id = $1 AND s.user_id = $2`,
    [id, userId],
  );

/** The data that an upload needs from its set. */
export const selectExpecting = (db: Queryable, userId: string, id: string, hash: Buffer | null) =>
  row<{ readonly folderId: string | null; readonly expected: boolean }>(
    db,
    `SELECT s.folder_id AS "folderId", EXISTS (
       SELECT FROM upload_set_files f WHERE f.upload_set_id = s.id AND f.hash = $3
     ) AS expected
     FROM upload_sets s WHERE s.id = $1 AND s.user_id = $2`,
    [id, userId, hash],
  );

export const deleteSet = (tx: Queryable, userId: string, id: string) =>
  row<UploadSetRow>(
    tx,
    `DELETE FROM upload_sets s WHERE s.id = $1 AND s.user_id = $2 RETURNING ${setRow}`,
    [id, userId],
  );

/** Sets of a user, newest first. */
export const setsOf = (db: Queryable, userId: string) =>
  newestOf<UploadSetRow>(db, userId, {
    columns: selectList(readColumns, 't'),
    from: 'upload_sets t WHERE t.user_id = $1',
  });

/** How many sets a user has, and how many files they expect together. */
export const selectSetTotals = (db: Queryable, userId: string) =>
  onlyRow<{ readonly sets: number; readonly files: number }>(
    db,
    `SELECT count(*)::int AS sets, coalesce(sum(expected), 0)::float8 AS files
     FROM upload_sets WHERE user_id = $1`,
    [userId],
  );

const stale = `completed_at IS NULL AND created_at < now() - make_interval(days => $1)`;

/** The next user, by id, with sets that have been open for longer than `days`. */
export const selectStaleOwner = (db: Queryable, days: number, after?: string) =>
  value<string>(
    db,
    `SELECT user_id FROM upload_sets
     WHERE ${stale} AND ($2::uuid IS NULL OR user_id > $2) ORDER BY user_id LIMIT 1`,
    [days, after ?? null],
  );

/**
 * Deletes the user's oldest sets that have been open for longer than `days`. @returns the number of
 * deleted sets.
 */
export const deleteStaleSets = (tx: Queryable, userId: string, days: number, limit: number) =>
  countRows(
    tx,
    `DELETE FROM upload_sets WHERE id IN (
       SELECT id FROM upload_sets WHERE ${stale} AND user_id = $2 ORDER BY created_at LIMIT $3
     ) RETURNING id`,
    [days, userId, limit],
  );
