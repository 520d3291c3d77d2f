import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { VersionId } from '../store/layout.js';

export interface VersionRow extends VersionId {
  readonly bytes: number;
  readonly extension: string;
  readonly displayExtension: string | null;
  readonly thumbExtension: string;
}

/** Versions by id, `limit` of them behind `after`. */
export const selectVersions = (
  db: Queryable,
  page: { platformId?: string | undefined; after: string; limit: number },
): Promise<VersionRow[]> =>
  rows(
    db,
    `SELECT id AS "versionId", image_id AS "imageId", user_id AS "userId",
            platform_id AS "platformId", bytes, extension, display_extension AS "displayExtension",
            thumb_extension AS "thumbExtension"
     FROM image_versions
     WHERE id > $1 AND ($2::uuid IS NULL OR platform_id = $2)
     ORDER BY id LIMIT $3`,
    [page.after, page.platformId ?? null, page.limit],
  );

export const versionStands = async (db: Queryable, id: string): Promise<boolean> =>
  (await rows(db, `SELECT FROM image_versions WHERE id = $1`, [id])).length > 0;

export interface KeyState {
  readonly key: string;
  readonly referred: boolean;
  readonly listed: boolean;
}

/**
 * Which of these keys are not held by exactly one of rows and reclaim queue.
 * @param versionIds the version that each key names, null when it names none.
 */
export const selectStrays = (
  db: Queryable,
  keys: readonly string[],
  versionIds: readonly (string | null)[],
): Promise<KeyState[]> =>
  rows(
    db,
    `SELECT * FROM (
       SELECT k.key,
              EXISTS (
                SELECT FROM image_versions v
                WHERE v.id = k.version_id
                  AND starts_with(k.key, concat_ws('/', v.platform_id, v.user_id, v.image_id, v.id, ''))
                  AND split_part(k.key, '/', 5) IN ('original.' || v.extension,
                    'display.' || v.display_extension, 'thumb.' || v.thumb_extension)
              ) AS referred,
              EXISTS (SELECT FROM object_reclaim r WHERE r.key = k.key) AS listed
       FROM unnest($1::text[], $2::uuid[]) AS k (key, version_id)
     ) state
     WHERE referred = listed`,
    [keys, versionIds],
  );

/** Whether the reclaim queue has a key. */
export const isListed = async (db: Queryable, key: string): Promise<boolean> =>
  (await rows(db, `SELECT FROM object_reclaim WHERE key = $1`, [key])).length > 0;
