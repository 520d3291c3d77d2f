import { only, selectList, type RowOf } from '../../database/columns.js';
import { onlyRow, onlyValue, row, rows, type Queryable } from '../../database/sql.js';
import type { Holder } from './claims.js';
import { narrowTokenColumns } from './entity.js';

const shown = only(
  narrowTokenColumns,
  ...(['id', 'platformId', 'userId', 'name', 'allow'] as const),
  ...(['createdBy', 'createdAt', 'expiresAt', 'lastUsedAt'] as const),
);

export type NarrowRow = Readonly<RowOf<typeof shown>>;

/** The tokens of an owner, $1 and $2, that have not ended: an administrator has neither id. */
const own = `platform_id IS NOT DISTINCT FROM $1::uuid AND user_id IS NOT DISTINCT FROM $2::uuid
  AND revoked_at IS NULL AND expires_at > now()`;

const ids = ({ platformId, userId }: Holder): unknown[] => [platformId ?? null, userId ?? null];

/** Blocks concurrent transactions that count the tokens of an owner. */
export const lockOwner = (tx: Queryable, { platformId, userId }: Holder): Promise<unknown> =>
  row(tx, `SELECT pg_advisory_xact_lock(hashtextextended('narrow tokens ' || $1::text, 2))`, [
    userId ?? platformId ?? '',
  ]);

export const countOwn = (db: Queryable, owner: Holder): Promise<number> =>
  onlyValue(db, `SELECT count(*)::int AS tokens FROM narrow_tokens WHERE ${own}`, ids(owner));

/** Newest first. */
export const selectOwn = (db: Queryable, owner: Holder): Promise<NarrowRow[]> =>
  rows(
    db,
    `SELECT ${selectList(shown)} FROM narrow_tokens WHERE ${own} ORDER BY id DESC`,
    ids(owner),
  );

export const selectOne = (db: Queryable, owner: Holder, id: string) =>
  row<NarrowRow>(db, `SELECT ${selectList(shown)} FROM narrow_tokens WHERE ${own} AND id = $3`, [
    ...ids(owner),
    id,
  ]);

/** Whose token it is, if it has not ended. */
export const selectOwner = (db: Queryable, id: string): Promise<Holder | undefined> =>
  row(
    db,
    `SELECT platform_id AS "platformId", user_id AS "userId" FROM narrow_tokens
     WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
    [id],
  );

export const insertOne = (
  tx: Queryable,
  owner: Holder,
  token: Pick<NarrowRow, 'id' | 'name' | 'allow' | 'createdBy'> & { readonly days: number },
): Promise<NarrowRow> =>
  onlyRow(
    tx,
    `INSERT INTO narrow_tokens (platform_id, user_id, id, name, allow, created_by, expires_at)
     VALUES ($1, $2, $3, $4, $5::text[], $6, now() + make_interval(days => $7))
     RETURNING ${selectList(shown)}`,
    [...ids(owner), token.id, token.name, token.allow, token.createdBy, token.days],
  );

export const endOne = (tx: Queryable, owner: Holder, id: string): Promise<NarrowRow | undefined> =>
  row(
    tx,
    `UPDATE narrow_tokens SET revoked_at = now() WHERE ${own} AND id = $3
     RETURNING ${selectList(shown)}`,
    [...ids(owner), id],
  );

/** Notes the hour in which a token was last used. */
export const noteUse = (db: Queryable, id: string): Promise<unknown> =>
  rows(
    db,
    `UPDATE narrow_tokens SET last_used_at = date_trunc('hour', now())
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < date_trunc('hour', now()))`,
    [id],
  );

/** Deletes tokens that ended longer ago than anything is kept that could name them. */
export const forgetNarrowTokens = (db: Queryable, days: number): Promise<unknown> =>
  rows(
    db,
    `DELETE FROM narrow_tokens
     WHERE least(revoked_at, expires_at) < now() - make_interval(days => $1)`,
    [days],
  );
