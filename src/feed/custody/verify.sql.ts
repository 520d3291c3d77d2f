import { rows, type Queryable } from '../../database/sql.js';

// What the tables say beside the logs. Each statement sees an instant, at which a change is in the table, and in
// the history or about to be: `custody_entries` has it.

const isPending = (image: string): string =>
  `EXISTS (SELECT FROM custody_entries e WHERE e.image_id = ${image})`;

/** What an image is, and what was last said of it. */
export interface ComparedImage {
  readonly id: string;
  readonly platformId: string;
  readonly state: string;
  readonly said: string | null;
  readonly pending: boolean;
}

export const compareImages = (
  db: Queryable,
  after: string,
  limit: number,
): Promise<ComparedImage[]> =>
  rows(
    db,
    `SELECT i.id, i.platform_id AS "platformId", custody_state(i) AS state, h.state AS said,
            ${isPending('i.id')} OR (h.state IS NULL AND EXISTS (SELECT FROM custody_scan)) AS pending
     FROM (SELECT * FROM images WHERE id > $1 ORDER BY id LIMIT $2) AS i
     LEFT JOIN LATERAL (
       SELECT state FROM custody_history WHERE image_id = i.id ORDER BY log_id DESC, leaf DESC LIMIT 1
     ) AS h ON true
     ORDER BY i.id`,
    [after, limit],
  );

/** A place in the history of all images. */
export interface Place {
  readonly imageId: string;
  readonly logId: number;
  readonly leaf: number;
}

/** What was said of an image, and what it takes to check that. */
export interface Said extends Place {
  readonly at: string;
  readonly kinds: string;
  readonly state: string;
  readonly hash: Buffer;
  /** By the salt of the user; null without. */
  readonly digest: Buffer | null;
  /** Whether the image is there. */
  readonly known: boolean;
  /** Whether its deletion is about to be logged, or its user has been deleted: what salted it is not told. */
  readonly going: boolean;
  /** Of the version that the state names. */
  readonly content: string | null;
  /** Over the versions up to that one. */
  readonly versions: string | null;
}

export const readSaid = (db: Queryable, after: Place, limit: number): Promise<Said[]> =>
  rows(
    db,
    `SELECT h.image_id AS "imageId", h.log_id AS "logId", h.leaf, custody_time(h.at) AS at, h.kinds, h.state, h.hash,
            custody_digest(s.salt, h.image_id, h.at, h.kinds, h.state) AS digest,
            i.id IS NOT NULL AS known, encode(v.hash, 'hex') AS content,
            (i.id IS NULL AND ${isPending('h.image_id')}) OR (s.salt IS NULL AND EXISTS (
              SELECT FROM bulk_changes b WHERE b.user_id = i.user_id AND b.kind = 'user')) AS going,
            CASE WHEN h.kinds = 'found' AND h.n > 0 THEN (
              SELECT encode(sha256(string_agg(w.hash, ''::bytea ORDER BY w.version)), 'hex')
              FROM image_versions w WHERE w.image_id = h.image_id AND w.version <= h.n) END AS versions
     FROM (
       SELECT *, substring(state FROM '\\ncontent (\\d+) ')::int AS n FROM custody_history
       WHERE (image_id, log_id, leaf) > ($1::uuid, $2, $3) ORDER BY image_id, log_id, leaf LIMIT $4
     ) AS h
     LEFT JOIN images i ON i.id = h.image_id
     LEFT JOIN custody_salts s ON s.user_id = i.user_id
     LEFT JOIN image_versions v ON v.image_id = h.image_id AND v.version = h.n
     ORDER BY h.image_id, h.log_id, h.leaf`,
    [after.imageId, after.logId, after.leaf, limit],
  );
