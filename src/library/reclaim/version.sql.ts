import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { VersionFiles } from '../../store/object-key.js';

/** Slices that ids are divided into; a power of two. */
export const sliceCount = 2 ** 18;

export interface VersionRow extends VersionFiles {
  readonly bytes: number;
  /** SHA-256 of the original. */
  readonly hash: Buffer;
}

const versions = `
  SELECT id AS "versionId", image_id AS "imageId", user_id AS "userId",
         platform_id AS "platformId", bytes, hash, extension, display_extension AS "displayExtension",
         thumb_extension AS "thumbExtension"
  FROM image_versions`;

/** Hexadecimal digits of an id as an integer; ids as text have hyphens. */
const digits = (bits: number, ...parts: readonly string[]): string =>
  `('x' || ${parts.join(' || ')})::bit(${bits})::integer`;

/** Which slice an id is in: from the time that it begins with, in steps of 17 minutes. */
const slice = `(${digits(28, 'left(id::text, 7)')} & ${sliceCount - 1})`;

/** Versions by id, at most `limit` of them after `after`. */
export const selectVersions = (
  db: Queryable,
  page: {
    platformId?: string | undefined;
    slices?: readonly number[] | undefined;
    after: string;
    limit: number;
  },
): Promise<VersionRow[]> =>
  rows(
    db,
    `${versions}
     WHERE id > $1 AND ($2::uuid IS NULL OR platform_id = $2)
       AND ($3::integer[] IS NULL OR ${slice} = ANY ($3))
     ORDER BY id LIMIT $4`,
    [page.after, page.platformId ?? null, page.slices ?? null, page.limit],
  );

interface SliceTally {
  readonly slice: number;
  readonly versions: number;
  readonly high: number;
  readonly low: number;
}

/** One row for each slice that has versions: their random digits, combined by exclusive or. */
export const selectSliceTallies = (db: Queryable): Promise<SliceTally[]> =>
  rows(
    db,
    `SELECT ${slice} AS slice, count(*)::integer AS versions,
            bit_xor(${digits(32, 'substr(id::text, 20, 4)', 'substr(id::text, 25, 4)')}) AS high,
            bit_xor(${digits(32, 'right(id::text, 8)')}) AS low
     FROM image_versions GROUP BY 1`,
  );

export const versionExists = async (db: Queryable, id: string): Promise<boolean> =>
  (await rows(db, `SELECT FROM image_versions WHERE id = $1`, [id])).length > 0;

/** A key, whether the reclaim queue has it, and the version that it names, if any. */
export type KeyRow = { readonly key: string; readonly listed: boolean } & (
  VersionRow | { readonly versionId: null }
);

/** @param versionIds the version that each key names, null if it names none. */
export const selectObjectKeys = (
  db: Queryable,
  keys: readonly string[],
  versionIds: readonly (string | null)[],
): Promise<KeyRow[]> =>
  rows(
    db,
    `SELECT k.key, EXISTS (SELECT FROM object_reclaim r WHERE r.key = k.key) AS listed, v.*
     FROM unnest($1::text[], $2::uuid[]) AS k (key, version_id)
     LEFT JOIN (${versions}) AS v ON v."versionId" = k.version_id`,
    [keys, versionIds],
  );
