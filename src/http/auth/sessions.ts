import type { EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Database } from '../../database/joint-transaction.js';
import { noteAct } from '../audit/acts.js';
import { id, timestamp } from '../record-fields.js';
import { lockFamily, revokeFamily } from './auth.sql.js';
import type { Holder } from './claims.js';
import { assertOwner } from './narrow-tokens.js';
import * as queries from './sessions.sql.js';
import type { SessionRow, SessionScope } from './sessions.sql.js';
import type { TokenPair, Tokens } from './tokens.js';

export { forgetSessions } from './sessions.sql.js';

/** Sessions that are listed, or ended, at once. */
const maxListed = 1_000;

/** Of a new session. */
interface NewSession {
  /** Of the person. */
  readonly name: string;
  readonly device: string;
  /** Of its access token, in seconds. */
  readonly lifetime: number;
  /** Whether it goes on for as long as it is used. */
  readonly stays: boolean;
}

export const sessionRecord = z
  .object({
    id,
    created_at: timestamp,
    last_used_at: timestamp,
    device: z.string().meta({ description: 'browser and system, such as "Firefox on Linux"' }),
  })
  .meta({ id: 'Session' });
type SessionRecord = z.output<typeof sessionRecord>;

/** A session that has not ended, for operators. */
export interface OwnedSession extends SessionRecord {
  readonly name: string;
  /** Null, with `user_id`: an administrator's. */
  readonly platform_id: string | null;
  readonly user_id: string | null;
  readonly expires_at: string;
}

/** Who is signed in to the console. */
export class Sessions {
  constructor(
    private readonly db: Database,
    private readonly tokens: Tokens,
    private readonly clock: WallClock,
  ) {}

  /** @throws ServiceError `platform_not_found`. */
  async begin(
    tx: EntityManager,
    holder: Holder,
    { name, device, lifetime, stays }: NewSession,
  ): Promise<Pick<TokenPair, 'access_token'> & Partial<TokenPair> & { readonly id: string }> {
    const { platformId = null, userId = null } = holder;
    const id = uuidv7();
    await queries.insertSession(tx, { id, platformId, userId, name, device });
    if (stays) {
      const pair = await this.tokens.issueOfStaying(holder, { id, name }, tx);
      return { id, access_token: pair.access_token, refresh_token: pair.refresh_token };
    }
    return {
      id,
      access_token: await this.tokens.issueOfSession(holder, { id, name, lifetime }, tx),
    };
  }

  /** New tokens of a session that stays, for its refresh token. @throws ServiceError as `Tokens.refresh`. */
  async renew(token: string): Promise<TokenPair & { readonly expires_in: number }> {
    // The same key for each: a phone may repeat the request long after its answer was lost.
    const pair = await this.tokens.refresh(token, 'session');
    return { ...pair, expires_in: this.tokens.lifetime('user') };
  }

  /** Those of a user that have not ended, the last used first. @throws ServiceError `user_not_found`. */
  async ofUser(platformId: string | undefined, userId: string): Promise<SessionRecord[]> {
    await assertOwner(this.db, { platformId, userId });
    return (await queries.selectSessions(this.db, { userId }, maxListed)).map(this.#record);
  }

  /** Those of one user, of a platform and its users, or all; the last used first. */
  async list(scope: SessionScope = {}, limit = maxListed): Promise<OwnedSession[]> {
    return (await queries.selectSessions(this.db, scope, limit)).map(this.#owned);
  }

  /**
   * Ends a session of a user, or all, from the next request on, on every node.
   * @throws ServiceError `user_not_found`, `session_not_found`.
   */
  async endOf(
    platformId: string | undefined,
    userId: string,
    id?: string,
  ): Promise<SessionRecord[]> {
    await assertOwner(this.db, { platformId, userId });
    return (await this.#end({ userId, id })).map(this.#record);
  }

  /** Likewise. @throws ServiceError `session_not_found`. */
  async end(id = ''): Promise<OwnedSession> {
    const [ended] = await this.#end({ id });
    if (!ended) throw new ServiceError('session_not_found');
    return this.#owned(ended);
  }

  #end(scope: SessionScope): Promise<SessionRow[]> {
    const { id } = scope;
    if (id !== undefined && !isUuid(id)) throw new ServiceError('session_not_found');
    return this.db.transaction(async (tx) => {
      const sessions = await queries.selectSessions(tx, scope, maxListed);
      if (id !== undefined && sessions.length === 0) throw new ServiceError('session_not_found');
      for (const { id: session, platformId, userId } of sessions) {
        await lockFamily(tx, session); // no refresh goes on beside this
        await revokeFamily(tx, session);
        await noteAct(tx, {
          act: 'session.end',
          platformId: platformId ?? undefined,
          userId: userId ?? undefined,
          details: { session },
        });
      }
      return sessions;
    });
  }

  readonly #record = (row: SessionRow): SessionRecord => ({
    id: row.id,
    created_at: this.clock.format(row.createdAt),
    last_used_at: this.clock.format(row.lastUsedAt),
    device: row.device,
  });

  readonly #owned = (row: SessionRow): OwnedSession => ({
    ...this.#record(row),
    name: row.name,
    platform_id: row.platformId,
    user_id: row.userId,
    expires_at: this.clock.format(row.expiresAt),
  });
}

/** What `User-Agent` calls browsers and systems; those that pass for others come first. */
const browsers = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const;
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/** A browser as a person would call it, such as "Chrome on Android". @param agent `User-Agent`. */
export function deviceOf(agent = ''): string {
  const nameIn = (list: typeof browsers | typeof systems): string | undefined =>
    list.find(([mark]) => mark.test(agent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return browser && system ? `${browser} on ${system}` : agent.slice(0, 100) || 'unknown';
}
