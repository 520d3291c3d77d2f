import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';
import type { EntityManager } from 'typeorm';
import { inBatches } from '../../base/concurrency.js';
import { currentBearer } from '../../base/telemetry/context.js';
import { entityOf, nameList, selectList, without, type RowOf } from '../../database/columns.js';
import { countRows, parameters, type Queryable, rows } from '../../database/sql.js';
import type { Database } from '../../database/joint-transaction.js';
import { tokenName } from '../auth/entity.js';
import { examine, type Examined } from './examined.js';

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

export const AuditActEntity = entityOf('audit_acts', actColumns);

/** Acts that the change feed does not contain. */
export const actNames = [
  'admin.token',
  'platform.create',
  'platform.rename',
  'platform.token',
  'platform.revoke',
  'platform.suspend',
  'platform.resume',
  'platform.limit',
  'platform.publish_log',
  'platform.hide_log',
  'platform.delete',
  'platform.deleted',
  'user.create',
  'user.token',
  'user.suspend',
  'user.resume',
  'user.quota',
  'user.delete',
  'console.link',
  'console.session',
  'keys.replace',
  'keys.rotate',
  'store.migrate',
  'store.clear',
  'store.reclaim',
  'trash.empty',
  'job.run',
  'maintenance.on',
  'maintenance.off',
  'upload.refuse',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate',
  'webhook.pause',
  'webhook.resume',
  'webhook.replay',
  'user.sign-in',
  'identity.set',
  'identity.remove',
  'token.create',
  'token.revoke',
  'session.end',
  'link.create',
  'link.update',
  'link.delete',
  'hold.create',
  'hold.release',
] as const;
export type ActName = (typeof actNames)[number];

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

/** Performs an act and records it, in one transaction. */
export const performAct = <T>(
  db: Database,
  act: Act,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    const done = await work(tx);
    await noteAct(tx, act);
    return done;
  });

/** Which acts: those of a platform or about a user, in a period. */
export interface ActScope {
  readonly platformId?: string | undefined;
  readonly userId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly actors?: readonly string[] | undefined;
  readonly act?: string | undefined;
}

/** The place of an act among the others; its time in microseconds since 1970. */
export interface ActPosition {
  readonly micros: number;
  readonly id: number;
}

type ActRow = Readonly<RowOf<typeof actColumns>> &
  ActPosition & { readonly tokenName: string | null };

/** Acts before `after`, newest first. */
export function readActs(
  db: Queryable,
  { platformId, userId, since, until, actors, act }: ActScope,
  { after, limit }: { after: ActPosition | undefined; limit: number },
): Promise<Examined<ActRow>> {
  const { values, bind } = parameters(
    since ?? null,
    until ?? null,
    after?.micros ?? null,
    after?.id ?? null,
  );
  const filters = [
    platformId !== undefined && `platform_id = ${bind(platformId)}`,
    userId !== undefined && `user_id = ${bind(userId)}`,
    actors !== undefined && `actor = ANY (${bind(actors)}::text[])`,
    act !== undefined && `act = ${bind(act)}`,
  ].filter(Boolean);
  return examine(db, {
    table: 'audit_acts',
    columns: `${selectList(actColumns)}, ${tokenName}, (extract(epoch FROM at) * 1000000)::bigint AS micros`,
    where: `($1::timestamptz IS NULL OR at >= $1) AND ($2::timestamptz IS NULL OR at < $2)
       AND ($3::bigint IS NULL OR (at, id) < ('epoch'::timestamptz + $3 * interval '1 microsecond', $4))`,
    filter: filters.length > 0 ? filters.join(' AND ') : undefined,
    order: ['at', 'id'],
    values,
    limit,
  });
}

/** Acts deleted in one statement. */
const batchSize = 5_000;

/** Deletes acts that are older. @returns how many. */
export async function expireActs(
  db: Queryable,
  { days, signal }: { days: number; signal?: AbortSignal },
): Promise<{ acts: number }> {
  const acts = await inBatches(batchSize, signal, () =>
    countRows(
      db,
      `DELETE FROM audit_acts WHERE id IN (
         SELECT id FROM audit_acts WHERE at < now() - make_interval(days => $1)
         ORDER BY at, id LIMIT $2
       ) RETURNING id`,
      [days, batchSize],
    ),
  );
  return { acts };
}
