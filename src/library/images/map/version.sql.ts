import { row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import type { MapOwner } from './owner.js';

export interface MapState {
  readonly version: string;
  readonly platformSuspended: boolean;
  readonly userSuspended: boolean;
  /** When links to the map last ended, in seconds since 1970; 0: never. */
  readonly endedAt: number;
}

const keysRevoked = '(SELECT max(revoked_at) FROM signing_keys)';

/** @param times of which the last counts. */
const endedAt = (...times: readonly string[]): string =>
  `coalesce(ceil(extract(epoch FROM greatest(${[...times, keysRevoked].join(', ')}))), 0)::float8`;

/** The state of a map; undefined if there is no such user or platform. */
export const selectMapState = (db: Queryable, owner: MapOwner): Promise<MapState | undefined> =>
  owner.kind === 'users'
    ? row(
        db,
        `SELECT u.map_version::text AS version, p.suspended_at IS NOT NULL AS "platformSuspended",
                u.suspended_at IS NOT NULL AS "userSuspended",
                ${endedAt('u.suspended_at', 'p.suspended_at', 'p.revoked_at')} AS "endedAt"
         FROM users u JOIN platforms p ON p.id = u.platform_id
         WHERE u.id = $1 AND ($2::uuid IS NULL OR u.platform_id = $2)`,
        [owner.id, owner.platformId ?? null],
      )
    : // The sum of a hash of each user's version, which changes with any version and when a user is deleted.
      row(
        db,
        `SELECT p.suspended_at IS NOT NULL AS "platformSuspended", false AS "userSuspended",
                ${endedAt('p.suspended_at', 'p.revoked_at')} AS "endedAt",
                (SELECT coalesce(sum(uuid_hash_extended(u.id, u.map_version)), 0)::text FROM users u
                 WHERE u.platform_id = p.id AND u.map_version > 0) AS version
         FROM platforms p WHERE p.id = $1`,
        [owner.id],
      );
