import { only, selectList, type RowOf, type SelectedRow } from '../../database/columns.js';
import { column, instantText, row, rows, value, type Queryable } from '../../database/sql.js';
import { imageColumns } from '../images/entity.js';
import { firstInTree } from '../tree/tree.js';
import { linkColumns } from './entity.js';

const visitedColumns = only(
  linkColumns,
  ...(['id', 'userId', 'kind', 'folderId', 'title', 'message', 'passwordHash'] as const),
  ...(['allowDownload', 'showPlace', 'expiresAt'] as const),
);

export type VisitedLink = Readonly<RowOf<typeof visitedColumns>> & {
  readonly platformId: string;
  readonly isOpen: boolean;
};

// What a link opens may be gone for a while, or its owner: it is as if the link were paused.
const isOpen = `l.deleted_at IS NULL AND NOT l.is_paused AND l.expires_at > now()
  AND u.suspended_at IS NULL AND p.suspended_at IS NULL AND p.deleting_at IS NULL
  AND (l.folder_id IS NULL OR EXISTS (
    SELECT FROM folders f
    WHERE f.id = l.folder_id AND f.user_id = l.user_id AND f.deleted_at IS NULL
  ))`;

/** What is needed of a link to store what arrives through it. */
export type RequestingLink = Pick<VisitedLink, 'id' | 'userId' | 'platformId' | 'folderId'>;

/** The link of an upload that its visitor was allowed to send; undefined once it has been deleted. */
export const selectRequesting = (db: Queryable, linkId: string) =>
  row<RequestingLink>(
    db,
    `SELECT l.id, l.user_id AS "userId", u.platform_id AS "platformId", l.folder_id AS "folderId"
     FROM links l JOIN users u ON u.id = l.user_id WHERE l.id = $1 AND l.deleted_at IS NULL`,
    [linkId],
  );

/** A link as of now; undefined if there never was one, or long ago. */
export const selectVisited = (db: Queryable, secretHash: Buffer) =>
  row<VisitedLink>(
    db,
    `SELECT ${selectList(visitedColumns, 'l')}, u.platform_id AS "platformId",
            ${isOpen} AS "isOpen"
     FROM links l JOIN users u ON u.id = l.user_id JOIN platforms p ON p.id = u.platform_id
     WHERE l.secret_hash = $1`,
    [secretHash],
  );

const pictureColumns = only(
  imageColumns,
  ...(['id', 'versionId', 'version', 'createdAt', 'takenAt', 'filename', 'originalName'] as const),
  ...(['width', 'height'] as const),
  ...(['extension', 'displayExtension', 'thumbExtension', 'thumbhash'] as const),
  ...(['addressRoad', 'addressLand', 'addressLandNumber', 'buildingName'] as const),
);

export type PictureRow = SelectedRow<typeof pictureColumns> & {
  readonly lat: number | null;
  readonly lng: number | null;
  /** Where a page that ends with it goes on. */
  readonly position: string;
};

const picture = `${selectList(pictureColumns, 'i')},
  ST_Y(i.location::geometry) AS lat, ST_X(i.location::geometry) AS lng`;

const newestFirst = 'i.created_at DESC, i.id DESC';

/** Newest first. `$1` folder, `$2` user, `$3` limit. @param from a condition of images `i`. */
const idsInFolder = (from: string): string =>
  firstInTree({
    folder: '$1',
    user: '$2',
    active: true,
    columns: 'i.id, i.created_at',
    where: `i.user_id = $2 AND i.deleted_at IS NULL ${from}`,
    order: newestFirst,
    limit: '$3',
  });

const inFolder = (from: string): string => `
    WITH page AS (${idsInFolder(from)})
    SELECT ${picture}, ${instantText('i.created_at')} || ' ' || i.id AS position
    FROM page JOIN images i USING (id)
    ORDER BY ${newestFirst}`;

const firstPage = inFolder('');
const laterPage = inFolder('AND (i.created_at, i.id) < ($4::timestamptz, $5::uuid)');

/** Pictures in a folder and everything below it. @param position of the last one before. */
export function selectInFolder(
  db: Queryable,
  { userId, folderId }: VisitedLink,
  position: string | undefined,
  limit: number,
): Promise<PictureRow[]> {
  const values = [folderId, userId, limit];
  return position === undefined
    ? rows(db, firstPage, values)
    : rows(db, laterPage, [...values, ...position.split(' ')]);
}

/** In the order in which the link names them. `$1` link, `$2` user. */
const named = `links l CROSS JOIN unnest(l.image_ids) WITH ORDINALITY AS wanted (id, position)
     JOIN images i ON i.id = wanted.id AND i.user_id = $2 AND i.deleted_at IS NULL
     WHERE l.id = $1`;

/** The pictures that a link names, in its order. */
export const selectNamed = (
  db: Queryable,
  { id, userId }: VisitedLink,
  position: string | undefined,
  limit: number,
): Promise<PictureRow[]> =>
  rows(
    db,
    `SELECT ${picture}, wanted.position::text AS position
     FROM ${named} AND wanted.position > $3::bigint
     ORDER BY wanted.position LIMIT $4`,
    [id, userId, position ?? 0, limit],
  );

const everyId = `SELECT i.id FROM (${idsInFolder('')}) i ORDER BY ${newestFirst}`;

/** Ids of all pictures that a link shows, in its order. */
export const selectShown = (
  db: Queryable,
  { id, userId, folderId }: VisitedLink,
  limit: number,
): Promise<string[]> =>
  folderId === null
    ? column(db, `SELECT i.id FROM ${named} ORDER BY wanted.position LIMIT $3`, [id, userId, limit])
    : column(db, everyId, [folderId, userId, limit]);

export interface UnmadeRow {
  readonly imageId: string;
  readonly versionId: string;
}

/** Those of these pictures whose whole picture has not been made. */
export const selectUnmade = (db: Queryable, imageIds: readonly string[]): Promise<UnmadeRow[]> =>
  rows(
    db,
    `SELECT i.id AS "imageId", v.id AS "versionId"
     FROM images i JOIN image_versions v ON v.id = i.version_id
     WHERE i.id = ANY ($1::uuid[]) AND v.full_extension IS NULL`,
    [imageIds],
  );

/** The image that a file became that arrived through a link, unless it is in the trash or gone. */
export const selectArrival = (db: Queryable, { id, userId }: RequestingLink, hash: Buffer) =>
  value<string>(
    db,
    `SELECT i.id FROM link_arrivals a
     JOIN images i ON i.id = a.image_id AND i.user_id = $2 AND i.deleted_at IS NULL
     WHERE a.link_id = $1 AND a.hash = $3`,
    [id, userId, hash],
  );

/** Notes that a file arrived. @returns nothing if the link has been deleted. */
export const upsertArrival = (
  tx: Queryable,
  { linkId, hash, imageId }: { linkId: string; hash: Buffer; imageId: string },
): Promise<object | undefined> =>
  row(
    tx,
    `INSERT INTO link_arrivals (link_id, hash, image_id)
     SELECT id, $2::bytea, $3::uuid FROM links WHERE id = $1 AND deleted_at IS NULL
     ON CONFLICT (link_id, hash) DO UPDATE SET image_id = excluded.image_id
     RETURNING image_id`,
    [linkId, hash, imageId],
  );

/** Those of these images that arrived through a link, whatever became of them. */
export const selectArrived = (db: Queryable, linkId: string, imageIds: readonly string[]) =>
  column<string>(
    db,
    `SELECT image_id FROM link_arrivals WHERE link_id = $1 AND image_id = ANY ($2::uuid[])`,
    [linkId, imageIds],
  );
