import {
  nameList,
  boundList,
  selectList,
  valuesOf,
  without,
  type RowOf,
} from '../../database/columns.js';
import { column, exists, onlyRow, type Queryable, row, rows, value } from '../../database/sql.js';
import type { VersionFiles } from '../../store/object-key.js';
import { newestOf } from '../../http/paging/newest.js';
import { holdColumns } from './entity.js';

export type HoldRow = Readonly<RowOf<typeof holdColumns>>;

const holdRow = selectList(holdColumns);

/** The users, locked, whose these things of the platform are; in the order of their ids. */
const lockOwners = (tx: Queryable, platformId: string, owners: string, ids: unknown) =>
  column<string>(
    tx,
    `SELECT id FROM users WHERE platform_id = $1 AND id IN (${owners}) ORDER BY id FOR NO KEY UPDATE`,
    [platformId, ids],
  );

/** What a hold is to be on, as rows of `held`. */
export interface Target {
  readonly kind: 'user' | 'folder' | 'image';
  readonly ids: string[];
}

export interface Kept {
  readonly id: string;
  readonly userId: string;
}

const owners = {
  user: 'SELECT unnest($2::uuid[])',
  folder: 'SELECT user_id FROM folders WHERE id = ANY ($2::uuid[])',
  image: 'SELECT user_id FROM images WHERE id = ANY ($2::uuid[])',
} as const;

const found = {
  user: 'SELECT id, id AS "userId" FROM users WHERE id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])',
  folder: `SELECT id, user_id AS "userId" FROM folders
    WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[]) AND NOT is_being_deleted(id)
    FOR KEY SHARE`,
  image: `WITH going AS MATERIALIZED (
      SELECT folder_id AS id FROM images WHERE id = ANY ($1::uuid[]) AND folder_id IS NOT NULL
      GROUP BY folder_id HAVING is_being_deleted(folder_id)
    )
    SELECT id, user_id AS "userId" FROM images
    WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[])
      AND folder_id IN (SELECT id FROM going) IS NOT TRUE
    FOR KEY SHARE`,
} as const;

/** What of the target the platform has; its users are locked, so that nothing of it is deleted meanwhile. */
export async function lockTarget(
  tx: Queryable,
  platformId: string,
  { kind, ids }: Target,
): Promise<Kept[]> {
  const users = await lockOwners(tx, platformId, owners[kind], ids);
  return rows(tx, found[kind], [ids, users]);
}

/** Locks the platform against its deletion. @returns false if there is none. */
export const lockPlatform = (tx: Queryable, platformId: string) =>
  exists(tx, 'SELECT FROM platforms WHERE id = $1 AND deleting_at IS NULL FOR SHARE', [platformId]);

export const isPlatform = (db: Queryable, platformId: string) =>
  exists(db, 'SELECT FROM platforms WHERE id = $1', [platformId]);

const insertedColumns = without(holdColumns, 'createdAt', 'releasedAt');

export const insertHold = async (
  tx: Queryable,
  hold: RowOf<typeof insertedColumns>,
  kind: Target['kind'],
  things: readonly Kept[],
): Promise<HoldRow> => {
  const made = await onlyRow<HoldRow>(
    tx,
    `INSERT INTO holds (${nameList(insertedColumns)}) VALUES (${boundList(insertedColumns)})
     RETURNING ${holdRow}`,
    valuesOf(insertedColumns, hold),
  );
  await rows(
    tx,
    `INSERT INTO held (hold_id, kind, user_id, id)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::uuid[])`,
    [hold.id, kind, things.map(({ userId }) => userId), things.map(({ id }) => id)],
  );
  return made;
};

export const selectHold = (db: Queryable, platformId: string, id: string) =>
  row<HoldRow>(db, `SELECT ${holdRow} FROM holds WHERE id = $1 AND platform_id = $2`, [
    id,
    platformId,
  ]);

export const selectPlatformOf = (db: Queryable, id: string): Promise<string | undefined> =>
  value(db, 'SELECT platform_id FROM holds WHERE id = $1', [id]);

/** A hold that was released stays so. What it was on does not change meanwhile: the log tells what it is like. */
export async function releaseHold(tx: Queryable, id: string): Promise<HoldRow | undefined> {
  const held = 'SELECT user_id FROM held WHERE hold_id = $1';
  await rows(tx, `SELECT FROM users WHERE id IN (${held}) ORDER BY id FOR NO KEY UPDATE`, [id]);
  return row(
    tx,
    `UPDATE holds SET released_at = coalesce(released_at, now()) WHERE id = $1 RETURNING ${holdRow}`,
    [id],
  );
}

/** Holds of a platform, newest first; their images are read later. */
export const holdsOf = (db: Queryable, platformId: string) =>
  newestOf<Omit<HoldRow, 'imageIds'>>(db, platformId, {
    columns: selectList(without(holdColumns, 'imageIds'), 't'),
    from: 'holds t WHERE t.platform_id = $1',
  });

/** The holds that last, of all platforms, oldest first: some of them, and how many there are. */
export const selectLasting = (db: Queryable, limit: number) =>
  rows<HoldRow & { readonly total: number }>(
    db,
    `SELECT ${selectList(holdColumns, 'h')}, count(*) OVER ()::int AS total
     FROM holds h WHERE end_of(h) > now() ORDER BY h.created_at, h.id LIMIT $1`,
    [limit],
  );

/** The objects of a version that bear a legal hold. */
export interface LegalHold {
  readonly id: string;
  readonly keys: readonly string[];
}

/** What holds keep now, and the images `i` that this is. */
const lasting = `lasting AS MATERIALIZED (
  SELECT u.user_id, k.kind, k.id FROM (
    SELECT DISTINCT h.user_id FROM held h JOIN holds ON holds.id = h.hold_id WHERE end_of(holds) > now()
  ) AS u CROSS JOIN LATERAL held_of(u.user_id, now()) AS k
)`;
const isLasting = `(i.user_id IN (SELECT id FROM lasting WHERE kind = 'user')
  OR i.folder_id IN (SELECT id FROM lasting WHERE kind = 'folder')
  OR i.id IN (SELECT id FROM lasting WHERE kind = 'image'))`;

/** Versions of what is held with an object that bears no legal hold yet. */
export const selectToHold = (db: Queryable, place: string, limit: number) =>
  rows<VersionFiles>(
    db,
    `WITH ${lasting}
     SELECT v.id AS "versionId", v.image_id AS "imageId", v.user_id AS "userId",
            v.platform_id AS "platformId", v.extension, v.display_extension AS "displayExtension",
            v.thumb_extension AS "thumbExtension", v.full_extension AS "fullExtension"
     FROM images i JOIN image_versions v ON v.image_id = i.id
     WHERE i.user_id IN (SELECT user_id FROM lasting) AND ${isLasting} AND NOT EXISTS (
       SELECT FROM legal_holds l WHERE l.version_id = v.id AND l.place = $1 AND cardinality(l.keys) =
         num_nonnulls(v.extension, v.display_extension, v.thumb_extension, v.full_extension))
     LIMIT $2`,
    [place, limit],
  );

/** Versions whose objects bear legal holds although nothing keeps them, or they are no more. */
export const selectToRelease = (db: Queryable, place: string, limit: number) =>
  rows<LegalHold>(
    db,
    `WITH ${lasting}
     SELECT l.version_id AS id, l.keys FROM legal_holds l WHERE l.place = $1 AND NOT EXISTS (
       SELECT FROM image_versions v JOIN images i ON i.id = v.image_id
       WHERE v.id = l.version_id AND ${isLasting})
     LIMIT $2`,
    [place, limit],
  );

export const insertLegalHolds = (db: Queryable, place: string, versions: readonly LegalHold[]) =>
  rows(
    db,
    `INSERT INTO legal_holds (version_id, place, keys)
     SELECT (v->>'id')::uuid, $1, ARRAY(SELECT jsonb_array_elements_text(v->'keys'))
     FROM jsonb_array_elements($2::jsonb) AS v
     ON CONFLICT (version_id) DO UPDATE SET place = excluded.place, keys = excluded.keys`,
    [place, JSON.stringify(versions)],
  );

export const deleteLegalHolds = (db: Queryable, ids: readonly string[]): Promise<unknown> =>
  rows(db, 'DELETE FROM legal_holds WHERE version_id = ANY ($1::uuid[])', [ids]);
