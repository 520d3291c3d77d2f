import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { VersionFiles } from '../store/object-key.js';

export interface VersionRow extends VersionFiles {
  readonly bytes: number;
}

const versions = `
  SELECT id AS "versionId", image_id AS "imageId", user_id AS "userId",
         platform_id AS "platformId", bytes, extension, display_extension AS "displayExtension",
         thumb_extension AS "thumbExtension"
  FROM image_versions`;

/** Versions by id, at most `limit` of them after `after`. */
export const selectVersions = (
  db: Queryable,
  page: { platformId?: string | undefined; after: string; limit: number },
): Promise<VersionRow[]> =>
  rows(
    db,
    `${versions}
     WHERE id > $1 AND ($2::uuid IS NULL OR platform_id = $2)
     ORDER BY id LIMIT $3`,
    [page.after, page.platformId ?? null, page.limit],
  );

export const versionExists = async (db: Queryable, id: string): Promise<boolean> =>
  (await rows(db, `SELECT FROM image_versions WHERE id = $1`, [id])).length > 0;

/** A key, whether the reclaim queue has it, and the version that it names, if any. */
export type KeyRow = { readonly key: string; readonly listed: boolean } & (
  VersionRow | { readonly versionId: null }
);

/** @param versionIds the version that each key names, null if it names none. */
export const selectKeys = (
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
