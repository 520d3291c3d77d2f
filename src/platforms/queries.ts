import { selectList, without } from '../database/columns.js';
import type { RowOf } from '../database/table.js';
import { instantText, row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { NextPage, WithSortTime } from '../paging/paged.js';
import { platformColumns } from './entity.js';

const listed = without(platformColumns, 'tokenGeneration');

export type PlatformRow = Readonly<RowOf<typeof listed>> & { readonly userCount: number };

const columns = `
  ${selectList(listed, 'p')},
  (SELECT count(*)::int FROM users u WHERE u.platform_id = p.id) AS "userCount"`;

/** Platforms after the given one, oldest first. */
export const selectPlatforms = (
  db: Queryable,
  { last, limit }: NextPage<WithSortTime<PlatformRow>>,
): Promise<WithSortTime<PlatformRow>[]> =>
  rows(
    db,
    `SELECT ${columns}, ${instantText('p.created_at')} AS "sortTime" FROM platforms p
     WHERE $1::timestamptz IS NULL OR (p.created_at, p.id) > ($1::timestamptz, $2::uuid)
     ORDER BY p.created_at, p.id LIMIT $3`,
    [last?.sortTime, last?.id, limit],
  );

export const selectPlatform = (db: Queryable, id: string): Promise<PlatformRow | undefined> =>
  row(db, `SELECT ${columns} FROM platforms p WHERE p.id = $1`, [id]);
