import { row } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { MapOwner } from './owner.js';

interface Version {
  readonly version: string;
  readonly platformSuspended: boolean;
  readonly userSuspended: boolean;
}

/** The version of a map; undefined if there is no such user or platform. */
export const selectMapVersion = (db: Queryable, owner: MapOwner): Promise<Version | undefined> =>
  owner.kind === 'users'
    ? row(
        db,
        `SELECT u.map_version::text AS version, p.suspended_at IS NOT NULL AS "platformSuspended",
                u.suspended_at IS NOT NULL AS "userSuspended"
         FROM users u JOIN platforms p ON p.id = u.platform_id
         WHERE u.id = $1 AND ($2::uuid IS NULL OR u.platform_id = $2)`,
        [owner.id, owner.platformId ?? null],
      )
    : // The sum of a hash of each user's version, which changes with any version and when a user is deleted.
      row(
        db,
        `SELECT p.suspended_at IS NOT NULL AS "platformSuspended", false AS "userSuspended",
                (SELECT coalesce(sum(uuid_hash_extended(u.id, u.map_version)), 0)::text FROM users u
                 WHERE u.platform_id = p.id AND u.map_version > 0) AS version
         FROM platforms p WHERE p.id = $1`,
        [owner.id],
      );
