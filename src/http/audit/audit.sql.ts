import { nameList, selectList, without, only } from '../../database/columns.js';
import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { actColumns } from './entity.js';

const noted = without(actColumns, 'id', 'at');
const shown = only(
  actColumns,
  ...(['id', 'at', 'act', 'actor', 'operator', 'tokenId', 'platformId', 'userId'] as const),
  'details',
);

export type ActRow = Readonly<RowOf<typeof shown>>;

export const insertAct = (
  tx: Queryable,
  act: {
    readonly [P in keyof RowOf<typeof noted>]: RowOf<typeof noted>[P] | null;
  },
): Promise<unknown> =>
  rows(tx, `INSERT INTO audit_acts (${nameList(noted)}) VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
    act.act,
    act.actor,
    act.operator,
    act.tokenId,
    act.platformId,
    act.userId,
    act.details && JSON.stringify(act.details),
  ]);

/** Which acts: those of a platform or about a user, since a moment. */
export interface ActScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit: number;
}

/** The newest first. */
export const selectActs = (
  db: Queryable,
  { platformId, userId, since, limit }: ActScope,
): Promise<ActRow[]> =>
  rows(
    db,
    `SELECT ${selectList(shown)} FROM audit_acts
     WHERE ($1::uuid IS NULL OR platform_id = $1) AND ($2::uuid IS NULL OR user_id = $2)
       AND ($3::timestamptz IS NULL OR at >= $3)
     ORDER BY at DESC, id DESC LIMIT $4`,
    [platformId ?? null, userId ?? null, since ?? null, limit],
  );

/** @returns how many; fewer than `limit` if none are left. */
export const deleteOldActs = async (db: Queryable, days: number, limit: number): Promise<number> =>
  (
    await rows(
      db,
      `DELETE FROM audit_acts WHERE id IN (
         SELECT id FROM audit_acts WHERE at < now() - make_interval(days => $1)
         ORDER BY at, id LIMIT $2
       ) RETURNING id`,
      [days, limit],
    )
  ).length;
