import { only, selectList } from '../../database/columns.js';
import {
  column,
  horizon,
  onlyRow,
  onlyValue,
  row,
  rows,
  value,
  type Queryable,
} from '../../database/sql.js';
import { types } from '../changes/schemas.js';
import { checkpointType } from '../webhooks/schemas.js';
import { logColumns, type CustodyLogRow } from './entity.js';
import type { Tile } from './tree.js';

/** What happened to an image, as its log has it. */
export interface Entry {
  readonly platformId: string;
  readonly imageId: string;
  /** As in digests. */
  readonly at: string;
  readonly kinds: string;
  readonly state: string;
  readonly address: string | null;
  readonly digest: Buffer | null;
}

export type Log = Readonly<Pick<CustodyLogRow, keyof typeof readColumns>>;
const readColumns = only(logColumns, 'id', 'platformId', 'origin', 'key', 'size', 'checkpoint');
const logRow = selectList(readColumns);

const unlogged = `FROM platforms p WHERE deleting_at IS NULL AND NOT EXISTS (
  SELECT FROM custody_logs l WHERE l.platform_id = p.id AND l.ended_at IS NULL)`;

/** Logs that webhooks are to be told of, at most once a minute. */
const unannounced = `FROM webhooks w JOIN custody_logs l ON l.platform_id = w.platform_id
  WHERE w.types @> '{${checkpointType}}' AND w.paused_reason IS NULL AND l.ended_at IS NULL
    AND l.size > l.announced_size AND l.announced_at <= now() - interval '1 minute'`;

/**
 * Announces new checkpoints in the feed of webhooks: as changes of the platform itself, which no reader of changes
 * is shown. Their numbers are seconds: a minute apart, they only grow.
 */
export const announce = (tx: Queryable): Promise<unknown> =>
  rows(
    tx,
    `WITH told AS (
       UPDATE custody_logs SET announced_size = size, announced_at = now()
       WHERE id IN (SELECT l.id ${unannounced}) RETURNING platform_id
     )
     INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
     SELECT platform_id, extract(epoch FROM now())::bigint, platform_id, feed_position(), now(),
            ${types.length + 1}, 0, 4, platform_id
     FROM told`,
  );

/** Whether there is anything to do. */
export const hasWork = (db: Queryable): Promise<boolean> =>
  onlyValue(
    db,
    `SELECT EXISTS (SELECT FROM custody_entries) OR EXISTS (SELECT FROM custody_scan) OR EXISTS (SELECT ${unlogged})
       OR EXISTS (SELECT ${unannounced})`,
  );

/** Platforms without a log, locked against their deletion, with the checkpoint of the one that ended last. */
export const selectUnlogged = (
  tx: Queryable,
  limit: number,
): Promise<{ readonly id: string; readonly before: string | null }[]> =>
  rows(
    tx,
    `SELECT p.id, (SELECT checkpoint FROM custody_logs WHERE platform_id = p.id ORDER BY id DESC LIMIT 1) AS before
     ${unlogged} LIMIT $1 FOR KEY SHARE OF p`,
    [limit],
  );

export const insertLog = (tx: Queryable, log: Omit<Log, 'id'>): Promise<Log> =>
  onlyRow(
    tx,
    `INSERT INTO custody_logs (platform_id, origin, key, size, checkpoint)
     VALUES ($1, $2, $3, $4, $5) RETURNING ${logRow}`,
    [log.platformId, log.origin, log.key, log.size, log.checkpoint],
  );

/** The log that takes in what happens on a platform, locked. */
export const lockLog = (tx: Queryable, platformId: string): Promise<Log | undefined> =>
  row(
    tx,
    `SELECT ${logRow} FROM custody_logs WHERE platform_id = $1 AND ended_at IS NULL FOR NO KEY UPDATE`,
    [platformId],
  );

export const selectLog = (db: Queryable, platformId: string): Promise<Log | undefined> =>
  row(db, `SELECT ${logRow} FROM custody_logs WHERE platform_id = $1 AND ended_at IS NULL`, [
    platformId,
  ]);

/** The logs of all platforms, or of one; those that have ended included. */
export const selectLogs = (db: Queryable, platformId?: string): Promise<CustodyLogRow[]> =>
  rows(
    db,
    `SELECT ${selectList(logColumns)} FROM custody_logs
     WHERE $1::uuid IS NULL OR platform_id = $1 ORDER BY id`,
    [platformId ?? null],
  );

/** Has the log continue in another, where all images are looked for anew. */
export async function endLog(tx: Queryable, { id }: Pick<Log, 'id'>): Promise<void> {
  await rows(tx, 'UPDATE custody_logs SET ended_at = now() WHERE id = $1', [id]);
  await rows(
    tx,
    `INSERT INTO custody_scan (after) VALUES ('00000000-0000-0000-0000-000000000000')
     ON CONFLICT (singleton) DO UPDATE SET after = excluded.after`,
  );
}

const entryColumns = `platform_id AS "platformId", image_id AS "imageId", custody_time(at) AS at, kinds,
  state, address, digest`;

/**
 * Takes the next entries, in the order of the feed: up to the position before which no more can appear.
 */
export const takeEntries = (tx: Queryable, limit: number): Promise<Entry[]> =>
  rows(
    tx,
    `WITH due AS (
       SELECT feed_position, id FROM custody_entries WHERE feed_position < (${horizon})
       ORDER BY feed_position, id LIMIT $1
     ), taken AS (
       DELETE FROM custody_entries e USING due d
       WHERE e.feed_position = d.feed_position AND e.id = d.id RETURNING e.*
     )
     SELECT ${entryColumns} FROM taken ORDER BY feed_position, id`,
    [limit],
  );

/** The last leaf of each of these images. */
export const selectHeads = (
  tx: Queryable,
  imageIds: readonly string[],
): Promise<{ readonly imageId: string; readonly logId: number; readonly hash: Buffer }[]> =>
  rows(
    tx,
    `SELECT h.image_id AS "imageId", h.log_id AS "logId", h.hash
     FROM unnest($1::uuid[]) AS i (id) CROSS JOIN LATERAL (
       SELECT * FROM custody_history WHERE image_id = i.id ORDER BY log_id DESC, leaf DESC LIMIT 1
     ) AS h`,
    [imageIds],
  );

/** These images as they are, as entries; of an edited one, with the hash of those of all its versions. */
export const selectFound = (tx: Queryable, imageIds: readonly string[]): Promise<Entry[]> =>
  rows(
    tx,
    `SELECT i.platform_id AS "platformId", i.id AS "imageId", custody_time(clock.at) AS at, 'found' AS kinds,
            found.state, custody_address(i) AS address,
            custody_digest(s.salt, i.id, clock.at, 'found', found.state) AS digest
     FROM images i JOIN custody_salts s ON s.user_id = i.user_id
     CROSS JOIN (SELECT clock_timestamp() AS at OFFSET 0) AS clock
     CROSS JOIN LATERAL (
       SELECT custody_state(i) || coalesce((
         SELECT E'\\nversions ' || encode(sha256(string_agg(v.hash, ''::bytea ORDER BY v.version)), 'hex')
         FROM image_versions v WHERE v.image_id = i.id AND i.version > 0), '') AS state OFFSET 0
     ) AS found
     WHERE i.id = ANY ($1::uuid[]) ORDER BY i.id`,
    [imageIds],
  );

/** Moves on over images, in the order of their ids. @returns them; undefined if all have been looked at. */
export async function scanOn(tx: Queryable, limit: number): Promise<string[] | undefined> {
  const after = await value<string>(tx, 'SELECT after FROM custody_scan');
  if (after === undefined) return undefined;
  const ids = await column<string>(tx, 'SELECT id FROM images WHERE id > $1 ORDER BY id LIMIT $2', [
    after,
    limit,
  ]);
  const last = ids.at(-1);
  await (last === undefined
    ? rows(tx, 'DELETE FROM custody_scan')
    : rows(tx, 'UPDATE custody_scan SET after = $1', [last]));
  return ids;
}

/** Those of which the log of their platform knows nothing, nor is about to. */
export const selectUnknown = (tx: Queryable, imageIds: readonly string[]): Promise<string[]> =>
  column(
    tx,
    `SELECT i.id FROM images i JOIN custody_logs l ON l.platform_id = i.platform_id AND l.ended_at IS NULL
     WHERE i.id = ANY ($1::uuid[])
       AND NOT EXISTS (SELECT FROM custody_history h WHERE h.image_id = i.id AND h.log_id = l.id)
       AND NOT EXISTS (SELECT FROM custody_entries e WHERE e.image_id = i.id)`,
    [imageIds],
  );

export interface Leaf extends Entry {
  readonly leaf: number;
  readonly hash: Buffer;
}

/** Notes what leaves say. */
export const insertHistory = (
  tx: Queryable,
  logId: number,
  leaves: readonly Leaf[],
): Promise<unknown> =>
  rows(
    tx,
    `INSERT INTO custody_history (log_id, image_id, leaf, at, kinds, state, address, hash)
     SELECT $1::bigint, * FROM unnest($2::uuid[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[],
                              $7::text[], $8::bytea[])`,
    [
      logId,
      leaves.map(({ imageId }) => imageId),
      leaves.map(({ leaf }) => leaf),
      leaves.map(({ at }) => at),
      leaves.map(({ kinds }) => kinds),
      leaves.map(({ state }) => state),
      leaves.map(({ address }) => address),
      leaves.map(({ hash }) => hash),
    ],
  );

/** Forgets what leaves of deleted images say. */
export const forgetHistory = (tx: Queryable, imageIds: readonly string[]): Promise<unknown> =>
  rows(tx, 'DELETE FROM custody_history WHERE image_id = ANY ($1::uuid[])', [imageIds]);

export const readTile = (
  db: Queryable,
  logId: number,
  level: number,
  n: number,
): Promise<Buffer | undefined> =>
  value(db, 'SELECT data FROM custody_tiles WHERE log_id = $1 AND level = $2 AND n = $3', [
    logId,
    level,
    n,
  ]);

/** Saves what a log has become. */
export async function saveLog(tx: Queryable, log: Log, tiles: readonly Tile[]): Promise<void> {
  await rows(
    tx,
    `INSERT INTO custody_tiles (log_id, platform_id, level, n, data)
     SELECT $1::bigint, $2::uuid, * FROM unnest($3::smallint[], $4::bigint[], $5::bytea[])
     ON CONFLICT (log_id, level, n) DO UPDATE SET data = excluded.data`,
    [
      log.id,
      log.platformId,
      tiles.map(({ level }) => level),
      tiles.map(({ n }) => n),
      tiles.map(({ data }) => data),
    ],
  );
  await rows(tx, 'UPDATE custody_logs SET size = $2, checkpoint = $3 WHERE id = $1', [
    log.id,
    log.size,
    log.checkpoint,
  ]);
}

/** A checkpoint that a service has stamped, or is to. */
export interface Unstamped {
  readonly id: number;
  readonly size: number;
  readonly checkpoint: string;
}

/** Takes a log whose newest checkpoint has no time stamp, for this node to try, and not another for a minute. */
export const claimUnstamped = (db: Queryable): Promise<Unstamped | undefined> =>
  row(
    db,
    `UPDATE custody_logs SET stamp_tried_at = now() WHERE id = (
       SELECT id FROM custody_logs l
       WHERE ended_at IS NULL AND size > 0 AND stamp_tried_at <= now() - interval '1 minute'
         AND NOT EXISTS (SELECT FROM custody_stamps s WHERE s.log_id = l.id AND s.size >= l.size)
       ORDER BY stamp_tried_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
     ) RETURNING id, size, checkpoint`,
  );

/** Why the service has not stamped a log. */
export const noteUnstamped = (db: Queryable, { id }: Unstamped, reason: string): Promise<unknown> =>
  rows(db, 'UPDATE custody_logs SET stamp_error = $2 WHERE id = $1', [id, reason]);

/** A token without certificates, and these. */
export interface Stamp {
  readonly token: Uint8Array;
  readonly certificates: Uint8Array;
}

const newestCertificates = (log: string): string => `SELECT certificates FROM custody_stamps
  WHERE log_id = ${log} AND certificates IS NOT NULL`;

/** Keeps a time stamp; its certificates, if they are others than before. */
export const insertStamp = (
  db: Queryable,
  { id, size, checkpoint }: Unstamped,
  { token, certificates }: Stamp,
): Promise<unknown> =>
  rows(
    db,
    `WITH done AS (UPDATE custody_logs SET stamp_error = NULL WHERE id = $1 RETURNING platform_id)
     INSERT INTO custody_stamps (log_id, platform_id, size, checkpoint, token, certificates)
     SELECT $1, platform_id, $2, $3, $4, nullif($5::bytea, (${newestCertificates('$1')} ORDER BY size DESC LIMIT 1))
     FROM done ON CONFLICT DO NOTHING`,
    [id, size, checkpoint, Buffer.from(token), Buffer.from(certificates)],
  );

/** The first time stamp of a checkpoint of a log that has a leaf. */
export const selectStamp = (
  db: Queryable,
  logId: number,
  leaf: number,
): Promise<(Stamp & Pick<Unstamped, 'size' | 'checkpoint'>) | undefined> =>
  row(
    db,
    `SELECT s.size, s.checkpoint, s.token,
            (${newestCertificates('s.log_id')} AND size <= s.size ORDER BY size DESC LIMIT 1) AS certificates
     FROM custody_stamps s WHERE log_id = $1 AND size > $2 ORDER BY size LIMIT 1`,
    [logId, leaf],
  );

/** What happened to an image, as a proof shows it. */
export interface HistoryRow extends Entry {
  readonly logId: number;
  readonly leaf: number;
  readonly hash: Buffer;
  /** Its place in the history of the image, from 1. */
  readonly n: number;
  readonly total: number;
  /** The hash of the leaf before it. */
  readonly before: Buffer | null;
}

/**
 * The newest entries of an image that the log has at its size, the oldest of them first; and that with which
 * this log knows of the image.
 */
export const selectHistory = (
  db: Queryable,
  imageId: string,
  { id, size }: Pick<Log, 'id' | 'size'>,
  limit: number,
): Promise<HistoryRow[]> =>
  rows(
    db,
    `SELECT * FROM (
       SELECT image_id AS "imageId", log_id AS "logId", leaf, custody_time(at) AS at, kinds, state, address, hash,
              row_number() OVER chain AS n, count(*) OVER () AS total, lag(hash) OVER chain AS before,
              log_id = $2 AND leaf = min(leaf) FILTER (WHERE log_id = $2) OVER () AS is_first
       FROM custody_history WHERE image_id = $1 AND (log_id < $2 OR (log_id = $2 AND leaf < $3))
       WINDOW chain AS (ORDER BY log_id, leaf)
     ) AS history
     WHERE n > total - $4 OR is_first ORDER BY n`,
    [imageId, id, size, limit],
  );

/** The salt of an image, and whose it is; of a user, or of whomever. */
export const selectImage = (
  db: Queryable,
  imageId: string,
  userId?: string,
): Promise<{ readonly platformId: string; readonly salt: Buffer } | undefined> =>
  row(
    db,
    `SELECT i.platform_id AS "platformId", sha256(s.salt || uuid_send(i.id)) AS salt
     FROM images i JOIN custody_salts s ON s.user_id = i.user_id
     WHERE i.id = $1 AND ($2::uuid IS NULL OR i.user_id = $2)`,
    [imageId, userId ?? null],
  );

/** Whether anybody may read the log of a platform. */
export const selectPublishes = async (db: Queryable, platformId: string): Promise<boolean> =>
  (await value<boolean>(db, 'SELECT publish_log FROM platforms WHERE id = $1', [platformId])) ===
  true;

/** Whether something happened to an image that its log does not have yet. */
export const isBehind = (db: Queryable, imageId: string): Promise<boolean> =>
  onlyValue(
    db,
    `SELECT EXISTS (SELECT FROM custody_entries WHERE image_id = $1) OR NOT EXISTS (
       SELECT FROM images i JOIN custody_logs l ON l.platform_id = i.platform_id AND l.ended_at IS NULL
       JOIN custody_history h ON h.image_id = i.id AND h.log_id = l.id WHERE i.id = $1)`,
    [imageId],
  );
