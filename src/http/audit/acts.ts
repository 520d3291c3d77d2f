import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';
import { EntitySchema } from 'typeorm';
import { currentBearer } from '../../base/telemetry/context.js';
import { nameList, selectList, without, type RowOf } from '../../database/columns.js';
import { type Queryable, rows } from '../../database/sql.js';

const operators = new AsyncLocalStorage<string>();

/** Runs a command of the terminal; its acts are attributed to this user of the operating system. */
export const runAsOperator = <T>(name: string, work: () => T): T => operators.run(name, work);

/** The user who runs this process; with sudo, the user who invoked it. */
export function operatorName(env: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() === 0 && env.SUDO_USER) return `${env.SUDO_USER} (sudo)`;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // a user without an account, as in containers
  }
}

/** Acts of administrators. Has no foreign keys, since acts outlive their subjects. */
const actColumns = {
  id: { type: 'bigint', primary: true, generated: true },
  at: { type: 'timestamptz', default: () => 'clock_timestamp()' },
  act: { type: 'text' },
  actor: { type: 'text' },
  /** User of the operating system, from the terminal. */
  operator: { type: 'text', nullable: true },
  tokenId: { name: 'token_id', type: 'uuid', nullable: true },
  platformId: { name: 'platform_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  details: { type: 'jsonb', nullable: true },
} as const;

export const AuditActEntity = new EntitySchema<RowOf<typeof actColumns>>({
  name: 'audit_act',
  tableName: 'audit_acts',
  columns: actColumns,
  indices: [{ name: 'audit_acts_at', columns: ['at', 'id'] }],
});

/** Acts that the change feed does not contain. */
export type ActName =
  | 'admin.token'
  | 'platform.create'
  | 'platform.rename'
  | 'platform.token'
  | 'platform.revoke'
  | 'platform.suspend'
  | 'platform.resume'
  | 'platform.limit'
  | 'platform.delete'
  | 'platform.deleted'
  | 'user.create'
  | 'user.token'
  | 'user.suspend'
  | 'user.resume'
  | 'user.quota'
  | 'user.delete'
  | 'console.link'
  | 'console.session'
  | 'keys.replace'
  | 'keys.rotate'
  | 'store.migrate'
  | 'store.clear'
  | 'trash.empty'
  | 'job.run'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.rotate'
  | 'webhook.pause'
  | 'webhook.resume'
  | 'webhook.replay'
  | 'link.create'
  | 'link.update'
  | 'link.delete';

export interface Act {
  readonly act: ActName;
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  /** Nothing secret, and no personal data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const noted = nameList(without(actColumns, 'id', 'at'));

/**
 * Records an act and its actor: the token of the current request, the operator at the terminal, or
 * imgstore itself. @param tx the transaction of the act.
 */
export function noteAct(
  tx: Queryable,
  { act, platformId, userId, details }: Act,
): Promise<unknown> {
  const bearer = currentBearer();
  const operator = bearer ? undefined : operators.getStore();
  return rows(tx, `INSERT INTO audit_acts (${noted}) VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
    act,
    bearer?.scope ?? (operator === undefined ? 'system' : 'operator'),
    operator ?? null,
    bearer?.token ?? null,
    platformId ?? null,
    userId ?? null,
    details ? JSON.stringify(details) : null,
  ]);
}

/** Which acts: those of a platform or about a user, since a moment. */
export interface ActScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit: number;
}

/** The newest acts, newest first. */
export const readActs = (
  db: Queryable,
  { platformId, userId, since, limit }: ActScope,
): Promise<Readonly<RowOf<typeof actColumns>>[]> =>
  rows(
    db,
    `SELECT ${selectList(actColumns)} FROM audit_acts
     WHERE ($1::uuid IS NULL OR platform_id = $1) AND ($2::uuid IS NULL OR user_id = $2)
       AND ($3::timestamptz IS NULL OR at >= $3)
     ORDER BY at DESC, id DESC LIMIT $4`,
    [platformId ?? null, userId ?? null, since ?? null, limit],
  );

/** Acts deleted in one statement. */
const batchSize = 5_000;

/** Deletes acts that are older. @returns how many. */
export async function expireActs(
  db: Queryable,
  { days, signal }: { days: number; signal?: AbortSignal },
): Promise<{ acts: number }> {
  let acts = 0;
  for (let some = batchSize; some === batchSize && !signal?.aborted; acts += some) {
    some = await deleteOldActs(db, days, batchSize);
  }
  return { acts };
}

/** @returns how many; fewer than `limit` if none are left. */
const deleteOldActs = async (db: Queryable, days: number, limit: number): Promise<number> =>
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
