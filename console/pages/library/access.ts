import { call, callAs } from '../../core/api';
import { Problem, problemOf } from '../../core/problem';
import { session, sessionOf } from '../../core/session';
import type { Session } from '../../core/session';

type Call = typeof call;

/** Access to the data of one user. */
export interface Access {
  readonly userId: string;
  /** Like `call` of core/api.ts, with a token of the user. */
  readonly call: Call;
  /** A session of the user, for calls that retry by themselves. */
  session(): Promise<Session>;
}

/** As long as somebody is signed in; also when the token is replaced by the next one. */
const known = new Map<string, Access>();
session.subscribe((current) => current ?? known.clear());

/**
 * Access to the user of the session, or, for a platform, to one of its users.
 * @param userId is ignored for user tokens, which contain it.
 */
export function accessTo(userId: string | undefined): Access {
  const current = session.value;
  const id = current?.userId ?? userId;
  if (!current || id === undefined) throw problemOf(401, undefined);
  const key = [current.scope, current.platformId, id].join(' ');
  const access = known.get(key) ?? newAccess(current, id);
  known.set(key, access);
  return access;
}

const newAccess = (current: Session, userId: string): Access =>
  current.scope === 'user'
    ? { userId, call, session: async () => session.value ?? current }
    : new AccessOfPlatform(userId, current.platformId ?? '');

/** A platform has a token issued for its user, as the API allows, and acts with that. */
class AccessOfPlatform implements Access {
  #taken: Promise<Session> | undefined;

  constructor(
    readonly userId: string,
    private readonly platformId: string,
  ) {}

  readonly call: Call = async (send) => {
    try {
      return await callAs(await this.#session(), send);
    } catch (problem) {
      if (!(problem instanceof Problem && problem.status === 401)) throw problem;
      // It has expired: retries once with a new one.
      this.#taken = undefined;
      return callAs(await this.#session(), send);
    }
  };

  async session(): Promise<Session> {
    const taken = await this.#session();
    if (taken.expiresAt < Date.now()) this.#taken = undefined;
    return this.#session();
  }

  #session(): Promise<Session> {
    this.#taken ??= this.#take().catch((problem: unknown) => {
      this.#taken = undefined;
      throw problem;
    });
    return this.#taken;
  }

  async #take(): Promise<Session> {
    const of = { platform_id: this.platformId, user_id: this.userId };
    const path = '/api/v1/platforms/{platform_id}/users';
    const { platform_user_id } = await call((client) =>
      client.GET(`${path}/{user_id}`, { params: { path: of } }),
    );
    const params = { path: of, query: { platform_user_id } };
    const found = await call((client) => client.GET(path, { params }));
    const [user] = Array.isArray(found) ? found : found.items;
    const taken = sessionOf(user?.access_token ?? '');
    if (!taken) throw problemOf(403, undefined);
    return taken;
  }
}
