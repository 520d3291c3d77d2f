import { selectList, without } from '../../database/columns.js';
import type { RowOf } from '../../database/table.js';
import { instantText, row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { NextPage, WithSortTime } from '../../http/paging/paged.js';
import { platformColumns } from './entity.js';

const listed = without(
  platformColumns,
  ...(['tokenGeneration', 'revokedAt', 'deletingAt'] as const),
);

export type PlatformRow = Readonly<RowOf<typeof listed>> & { readonly userCount: number };

const columns = `
  ${selectList(listed, 'p')},
  (SELECT count(*)::int FROM users u WHERE u.platform_id = p.id) AS "userCount"`;

/** Platforms after the given one, oldest first; without those being deleted. */
export const selectPlatforms = (
  db: Queryable,
  { last, limit }: NextPage<WithSortTime<PlatformRow>>,
): Promise<WithSortTime<PlatformRow>[]> =>
  rows(
    db,
    `SELECT ${columns}, ${instantText('p.created_at')} AS "sortTime" FROM platforms p
     WHERE p.deleting_at IS NULL
       AND ($1::timestamptz IS NULL OR (p.created_at, p.id) > ($1::timestamptz, $2::uuid))
     ORDER BY p.created_at, p.id LIMIT $3`,
    [last?.sortTime, last?.id, limit],
  );

export const selectPlatform = (db: Queryable, id: string): Promise<PlatformRow | undefined> =>
  row(db, `SELECT ${columns} FROM platforms p WHERE p.id = $1 AND p.deleting_at IS NULL`, [id]);

/** Sets the given columns. @returns false for an unknown platform. */
const change = async (db: Queryable, set: string, values: readonly unknown[]): Promise<boolean> =>
  (await row(
    db,
    `UPDATE platforms SET ${set}, updated_at = now()
     WHERE id = $1 AND deleting_at IS NULL RETURNING id`,
    values,
  )) !== undefined;

export const renamePlatform = (db: Queryable, id: string, name: string): Promise<boolean> =>
  change(db, 'name = $2', [id, name]);

/** A platform that is already suspended keeps the time. */
export const setSuspended = (db: Queryable, id: string, suspended: boolean): Promise<boolean> =>
  change(db, `suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END`, [id, suspended]);
