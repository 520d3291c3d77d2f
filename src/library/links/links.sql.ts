import {
  boundList,
  columnName,
  nameList,
  only,
  selectList,
  valuesOf,
  without,
  type RowOf,
} from '../../database/columns.js';
import {
  column,
  countRows,
  onlyRow,
  onlyValue,
  parameters,
  type Queryable,
  row,
  rows,
  value,
} from '../../database/sql.js';
import { newestOf } from '../../http/paging/newest.js';
import { linkColumns } from './entity.js';

const shownColumns = without(linkColumns, 'userId', 'secretHash', 'passwordHash', 'deletedAt');

export type LinkRow = Readonly<RowOf<typeof shownColumns>> & {
  readonly hasPassword: boolean;
  /** Files that have arrived. */
  readonly arrivals: number;
};

/** @param table with a dot, where another one has columns of these names. */
const derived = (table = ''): string => `${table}password_hash IS NOT NULL AS "hasPassword",
  (SELECT count(*)::int FROM link_arrivals a WHERE a.link_id = ${table}id) AS arrivals`;

const linkRow = `${selectList(shownColumns)}, ${derived()}`;

const insertedColumns = only(
  linkColumns,
  ...(['id', 'userId', 'kind', 'folderId', 'imageIds', 'secretHash', 'title', 'message'] as const),
  ...(['passwordHash', 'allowDownload', 'showPlace', 'expiresAt', 'sealedSecret'] as const),
);

export const insertLink = (tx: Queryable, link: RowOf<typeof insertedColumns>) =>
  onlyRow<LinkRow>(
    tx,
    `INSERT INTO links (${nameList(insertedColumns)}) VALUES (${boundList(insertedColumns)})
     RETURNING ${linkRow}`,
    valuesOf(insertedColumns, link),
  );

export const selectLink = (db: Queryable, userId: string, id: string) =>
  row<LinkRow>(
    db,
    `SELECT ${linkRow} FROM links WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL`,
    [id, userId],
  );

export const selectOwner = (db: Queryable, id: string): Promise<string | undefined> =>
  value(db, 'SELECT user_id FROM links WHERE id = $1 AND deleted_at IS NULL', [id]);

/** Links of a user, newest first; their images are read later. */
export const linksOf = (db: Queryable, userId: string) =>
  newestOf<Omit<LinkRow, 'imageIds'>>(db, userId, {
    columns: `${selectList(without(shownColumns, 'imageIds'), 't')}, ${derived('t.')}`,
    from: 'links t WHERE t.user_id = $1 AND t.deleted_at IS NULL',
  });

export const countLinks = (db: Queryable, userId: string): Promise<number> =>
  onlyValue(
    db,
    'SELECT count(*)::int AS links FROM links WHERE user_id = $1 AND deleted_at IS NULL',
    [userId],
  );

type Changeable =
  | ('title' | 'message' | 'passwordHash')
  | ('allowDownload' | 'showPlace' | 'isPaused' | 'expiresAt');

export type ChangedLink = Partial<Pick<RowOf<typeof linkColumns>, Changeable>>;

/** Changes the given columns; `updated_at` stays if none differs. */
export function updateLink(
  tx: Queryable,
  userId: string,
  id: string,
  changes: ChangedLink,
): Promise<LinkRow | undefined> {
  const { values, bind } = parameters(id, userId);
  const given = Object.entries(changes) as [keyof ChangedLink, unknown][];
  const pairs = given.map(([property, value]) => ({
    name: columnName(linkColumns, property),
    value: `${bind(value)}::${linkColumns[property].type}`,
  }));
  const sets = pairs.map(({ name, value }) => `${name} = ${value}`);
  const differs = pairs.map(({ name, value }) => `${name} IS DISTINCT FROM ${value}`);
  return row(
    tx,
    `UPDATE links
     SET ${[...sets, `updated_at = CASE WHEN ${differs.join(' OR ') || 'false'} THEN now() ELSE updated_at END`].join(', ')}
     WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING ${linkRow}`,
    values,
  );
}

/** Deletes a link; what it said goes, and that it was stays. @returns it as it was. */
export const endLink = (tx: Queryable, userId: string, id: string): Promise<LinkRow | undefined> =>
  row(
    tx,
    `WITH was AS (
       SELECT * FROM links WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
     ),
     ended AS (
       UPDATE links l
       SET deleted_at = now(), title = NULL, message = NULL, password_hash = NULL, sealed_secret = NULL,
           image_ids = CASE WHEN l.image_ids IS NOT NULL THEN '{}'::uuid[] END
       FROM was WHERE l.id = was.id
     ),
     arrivals AS (DELETE FROM link_arrivals a USING was WHERE a.link_id = was.id)
     SELECT ${linkRow} FROM was`,
    [id, userId],
  );

/** Forgets all but the newest deleted links of a user. */
export const forgetEnded = (tx: Queryable, userId: string, kept: number): Promise<unknown> =>
  rows(
    tx,
    `DELETE FROM links WHERE user_id = $1 AND deleted_at <= (
       SELECT deleted_at FROM links WHERE user_id = $1 AND deleted_at IS NOT NULL
       ORDER BY deleted_at DESC OFFSET $2 LIMIT 1
     )`,
    [userId, kept],
  );

/** Forgets links that were deleted earlier. @returns how many; fewer than `limit` if none are left. */
export const forgetEndedBefore = (db: Queryable, days: number, limit: number) =>
  countRows(
    db,
    `DELETE FROM links WHERE id IN (
         SELECT id FROM links WHERE deleted_at < now() - make_interval(days => $1) LIMIT $2
       ) RETURNING id`,
    [days, limit],
  );

/** Those of the given images that are not the user's, or are in the trash. */
export const selectUnusable = (tx: Queryable, userId: string, imageIds: readonly string[]) =>
  column<string>(
    tx,
    `SELECT wanted.id FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
     WHERE NOT EXISTS (
       SELECT FROM images i WHERE i.id = wanted.id AND i.user_id = $1 AND i.deleted_at IS NULL
     ) ORDER BY wanted.position`,
    [userId, imageIds],
  );

/** Not a change of the link's record: neither `updated_at` nor the feed tell of it. */
export const addVisits = (db: Queryable, linkId: string, visits: number): Promise<unknown> =>
  rows(db, 'UPDATE links SET visits = visits + $2, last_visit_at = now() WHERE id = $1', [
    linkId,
    visits,
  ]);
