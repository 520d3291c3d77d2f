import { selectList, type RowOf } from '../../database/columns.js';
import { rows, type Queryable } from '../../database/sql.js';
import { liveRefreshTokens } from './auth.sql.js';
import { sessionColumns } from './entity.js';

/** A session that has not ended, and when it does. */
export type SessionRow = Readonly<RowOf<typeof sessionColumns>> & { readonly expiresAt: Date };

const live = `SELECT s.*, t."expiresAt" FROM
  (SELECT ${selectList(sessionColumns)} FROM sessions) AS s
  JOIN (SELECT family_id, expires_at AS "expiresAt" FROM ${liveRefreshTokens} AS live) AS t
    ON t.family_id = s.id`;

/** Whose sessions: of one user, or of a platform and its users; of everybody without either. */
export interface SessionScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  /** Only this one. */
  readonly id?: string | undefined;
}

/** Those that have not ended, the last used first. */
export const selectSessions = (
  db: Queryable,
  { platformId, userId, id }: SessionScope,
  limit: number,
): Promise<SessionRow[]> =>
  rows(
    db,
    `${live} WHERE ($1::uuid IS NULL OR s."platformId" = $1) AND ($2::uuid IS NULL OR s."userId" = $2)
       AND ($3::uuid IS NULL OR s.id = $3)
     ORDER BY s."lastUsedAt" DESC, s.id DESC LIMIT $4`,
    [platformId ?? null, userId ?? null, id ?? null, limit],
  );

export const insertSession = (
  tx: Queryable,
  session: Pick<SessionRow, 'id' | 'platformId' | 'userId' | 'name' | 'device'>,
): Promise<unknown> =>
  rows(
    tx,
    'INSERT INTO sessions (id, platform_id, user_id, name, device) VALUES ($1, $2, $3, $4, $5)',
    [session.id, session.platformId, session.userId, session.name, session.device],
  );

/** Notes the hour in which a session was last used. */
export const noteSessionUse = (db: Queryable, id: string): Promise<unknown> =>
  rows(
    db,
    `UPDATE sessions SET last_used_at = date_trunc('hour', now())
     WHERE id = $1 AND last_used_at < date_trunc('hour', now())`,
    [id],
  );

/** Deletes sessions that ended longer ago than anything is kept that could name them. */
export const forgetSessions = (db: Queryable, days: number): Promise<unknown> =>
  rows(
    db,
    `DELETE FROM sessions s WHERE last_used_at < now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT FROM refresh_tokens WHERE family_id = s.id)`,
    [days],
  );
