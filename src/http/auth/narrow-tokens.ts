import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { dayMs, secondMs } from '../../base/units.js';
import type { Database } from '../../database/joint-transaction.js';
import { row, type Queryable } from '../../database/sql.js';
import { noteAct, type ActName } from '../audit/acts.js';
import { scopeOf, type Holder, type Scope, allowWords } from './claims.js';
import * as queries from './narrow.sql.js';
import type { NarrowRow } from './narrow.sql.js';
import type { CreatedNarrowToken, NarrowToken, NewNarrowToken } from './narrow-schemas.js';
import type { Tokens } from './tokens.js';

export { forgetNarrowTokens } from './narrow.sql.js';

/** Narrow tokens of one owner that have not ended. */
const maxPerOwner = 100;

/** Whose tokens, and who works with them. */
export interface NarrowOwner {
  readonly holder: Holder;
  readonly actor: Scope;
}

/** Tokens that can do no more than their job. */
export class NarrowTokens {
  constructor(
    private readonly db: Database,
    private readonly tokens: Tokens,
    private readonly clock: WallClock,
  ) {}

  /** @throws ServiceError `user_not_found`, `platform_not_found`, `too_many_tokens`. */
  create(owner: NarrowOwner, wanted: NewNarrowToken): Promise<CreatedNarrowToken> {
    const { holder, actor } = owner;
    const { name, expires_in_days: days } = wanted;
    const allow = allowWords[scopeOf(holder)].filter((word) => wanted.allow.includes(word));
    return this.db.transaction(async (tx) => {
      await assertOwner(tx, holder, 'FOR KEY SHARE'); // its deletion waits, or has been
      await queries.lockOwner(tx, holder);
      if ((await queries.countOwn(tx, holder)) >= maxPerOwner) {
        throw new ServiceError('too_many_tokens', { details: { max: maxPerOwner } });
      }
      const lifetime = (days * dayMs) / secondMs;
      const { token, id } = await this.tokens.issueNarrow(holder, lifetime, tx, allow);
      const row = await queries.insertOne(tx, holder, {
        id,
        name,
        allow,
        createdBy: actor,
        days,
      });
      await note(tx, 'token.create', row);
      return { ...this.#record(row), access_token: token };
    });
  }

  /** Those that have not ended, newest first. @throws ServiceError `user_not_found`. */
  async list({ holder }: NarrowOwner): Promise<NarrowToken[]> {
    await assertOwner(this.db, holder);
    return (await queries.selectOwn(this.db, holder)).map(this.#record);
  }

  /** @throws ServiceError `user_not_found`, `token_not_found`. */
  async get({ holder }: NarrowOwner, id: string): Promise<NarrowToken> {
    await assertOwner(this.db, holder);
    return this.#record(
      found(isUuid(id) ? await queries.selectOne(this.db, holder, id) : undefined),
    );
  }

  /** Refuses a token from the next request on, on every node. */
  revoke({ holder }: NarrowOwner, id: string): Promise<NarrowToken> {
    return this.db.transaction(async (tx) => {
      await assertOwner(tx, holder);
      const row = found(isUuid(id) ? await queries.endOne(tx, holder, id) : undefined);
      await note(tx, 'token.revoke', row);
      return this.#record(row);
    });
  }

  /** Whose token it is. @throws ServiceError `token_not_found`. */
  async holderOf(id: string): Promise<Holder> {
    const holder = found(isUuid(id) ? await queries.selectOwner(this.db, id) : undefined);
    const { platformId, userId } = holder;
    return { ...(platformId && { platformId }), ...(userId && { userId }) };
  }

  readonly #record = (row: NarrowRow): NarrowToken => ({
    id: row.id,
    name: row.name,
    allow: row.allow,
    created_at: this.clock.format(row.createdAt),
    expires_at: this.clock.format(row.expiresAt),
    last_used_at: row.lastUsedAt && this.clock.format(row.lastUsedAt),
    created_by: row.createdBy as Scope,
  });
}

function found<T>(token: T | undefined): T {
  if (token === undefined) throw new ServiceError('token_not_found');
  return token;
}

const note = (tx: Queryable, act: ActName, row: NarrowRow): Promise<unknown> =>
  noteAct(tx, {
    act,
    platformId: row.platformId ?? undefined,
    userId: row.userId ?? undefined,
    details: { token: row.id, name: row.name, allow: row.allow },
  });

/** @throws ServiceError `user_not_found` unless a user belongs to the platform, if one is given. */
export async function assertOwner(
  db: Queryable,
  { platformId, userId }: { [Id in keyof Holder]: Holder[Id] | undefined },
  lock: '' | 'FOR KEY SHARE' = '',
): Promise<void> {
  if (userId === undefined) return; // the platform of the token, or an administrator
  const isTheirs =
    isUuid(userId) &&
    (await row(
      db,
      `SELECT FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2) ${lock}`,
      [userId, platformId ?? null],
    ));
  if (!isTheirs) throw new ServiceError('user_not_found');
}
