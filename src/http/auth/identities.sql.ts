import { selectList, type RowOf } from '../../database/columns.js';
import { exists, onlyRow, type Queryable, row, rows, value } from '../../database/sql.js';
import { identityColumns } from './entity.js';

const columns = selectList(identityColumns, 'i');

export type IdentityRow = Readonly<RowOf<typeof identityColumns>>;

/** An identity, and what matters of its platform for tokens. */
export interface KnownIdentity extends IdentityRow {
  /** The token generation of the platform. */
  readonly generation: number;
  readonly revokedAt: Date | null;
  readonly suspended: boolean;
}

/** The identities of these issuers. */
export const selectIssuers = (db: Queryable, issuers: readonly string[]) =>
  rows<KnownIdentity>(
    db,
    `SELECT ${columns}, p.token_generation AS generation, p.revoked_at AS "revokedAt",
            p.suspended_at IS NOT NULL AS suspended
     FROM identities i JOIN platforms p ON p.id = i.platform_id
     WHERE i.issuer = ANY ($1::text[]) AND p.deleting_at IS NULL`,
    [issuers],
  );

export const selectIdentity = (db: Queryable, platformId: string) =>
  row<IdentityRow>(db, `SELECT ${columns} FROM identities i WHERE platform_id = $1`, [platformId]);

/** Those whose key sets are read from URLs. */
export const selectKeyUrls = (db: Queryable) =>
  rows<{ readonly platformId: string; readonly url: string }>(
    db,
    `SELECT platform_id AS "platformId", jwks_url AS url FROM identities
     WHERE jwks_url IS NOT NULL ORDER BY platform_id`,
  );

/** Sets the identity of a platform, in place of the one that it may have. */
export const putIdentity = (
  tx: Queryable,
  identity: Omit<IdentityRow, 'createdAt' | 'updatedAt'>,
): Promise<IdentityRow> =>
  onlyRow(
    tx,
    `INSERT INTO identities AS i (platform_id, id, issuer, audience, jwks_url, jwks, user_claim,
       create_users, allow)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[])
     ON CONFLICT (platform_id) DO UPDATE SET
       id = excluded.id, issuer = excluded.issuer, audience = excluded.audience,
       jwks_url = excluded.jwks_url, jwks = excluded.jwks, user_claim = excluded.user_claim,
       create_users = excluded.create_users, allow = excluded.allow, updated_at = now()
     RETURNING ${columns}`,
    [
      identity.platformId,
      identity.id,
      identity.issuer,
      identity.audience,
      identity.jwksUrl,
      identity.jwks && JSON.stringify(identity.jwks),
      identity.userClaim,
      identity.createUsers,
      identity.allow,
    ],
  );

export const deleteIdentity = (tx: Queryable, platformId: string) =>
  row<IdentityRow>(tx, `DELETE FROM identities i WHERE platform_id = $1 RETURNING ${columns}`, [
    platformId,
  ]);

/** The id of the user of a platform with this platform_user_id. */
export const selectUserId = (db: Queryable, platformId: string, name: string) =>
  value<string>(db, 'SELECT id FROM users WHERE platform_id = $1 AND platform_user_id = $2', [
    platformId,
    name,
  ]);

const hashOf = (name: string): string => `sha256(convert_to(${name}, 'UTF8'))`;

/**
 * Notes that a user is deleted, by name if the platform has an identity: a part of the statement that does
 * it. With its platform, everything of a user has ended before.
 * @param gone the deleted row of `users`, a part before.
 */
export const noteFormerUser = (gone: string): string =>
  `INSERT INTO former_users (id, platform_id, hash, deleted_at)
   SELECT u.id, p.id, CASE WHEN i.id IS NOT NULL THEN ${hashOf('u.platform_user_id')} END, now()
   FROM ${gone} AS u JOIN platforms p ON p.id = u.platform_id AND p.deleting_at IS NULL
   LEFT JOIN identities i ON i.platform_id = p.id`;

/** Whether a user of this name was deleted after a time, in seconds since 1970. */
export const wasDeletedSince = (
  db: Queryable,
  platformId: string,
  { name, since }: { readonly name: string; readonly since: number },
) =>
  exists(
    db,
    `SELECT FROM former_users
     WHERE platform_id = $1 AND hash = ${hashOf('$2::text')} AND deleted_at >= to_timestamp($3)`,
    [platformId, name, since],
  );

/** Forgets who was deleted longer ago than any token lasts. */
export const forgetFormerUsers = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM former_users WHERE deleted_at < now() - interval '1 year'`);
