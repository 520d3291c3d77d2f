import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

export interface PlatformRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly userCount: number;
}

/** All platforms, oldest first, or the one with this id. */
export const selectPlatforms = (db: Queryable, id?: string): Promise<PlatformRow[]> =>
  rows(
    db,
    `SELECT p.id, p.name, p.created_at AS "createdAt", p.updated_at AS "updatedAt",
            (SELECT count(*)::int FROM users u WHERE u.platform_id = p.id) AS "userCount"
     FROM platforms p
     WHERE $1::uuid IS NULL OR p.id = $1
     ORDER BY p.created_at, p.id`,
    [id ?? null],
  );
