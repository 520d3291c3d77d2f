import type { EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { actAs, type Actor } from '../../database/fairness.js';
import { only, type RowOf, selectList, toFields } from '../../database/columns.js';
import type { Database } from '../../database/joint-transaction.js';
import { isUniqueViolation, instantText, row, rows, type Queryable } from '../../database/sql.js';
import { noteAct, performAct } from '../../http/audit/acts.js';
import { wasDeletedSince } from '../../http/auth/identities.js';
import type { TokenPair, Tokens } from '../../http/auth/tokens.js';
import { withheld, withheldPair } from '../../http/record-fields.js';
import {
  type Batches,
  paged,
  type NextPage,
  type WithSortTime,
} from '../../http/paging/batches.js';
import type { PlatformLimits } from '../quota/platform-limits.js';
import { userColumns, UserEntity } from './entity.js';
import type { CreatedUser, ListedUser, UserRecord, UserState } from './schemas.js';

const listed = only(
  userColumns,
  ...(['id', 'platformId', 'platformUserId', 'createdAt', 'suspendedAt'] as const),
);
const listedRow = selectList(listed);

type UserRow = Readonly<RowOf<typeof listed>>;

/** Users of a platform after the given one, oldest first. */
const selectUsers = (
  db: Queryable,
  platformId: string,
  { last, limit }: NextPage<WithSortTime<UserRow>>,
): Promise<WithSortTime<UserRow>[]> =>
  rows(
    db,
    `SELECT ${listedRow}, ${instantText('created_at')} AS "sortTime"
     FROM users
     WHERE platform_id = $1
       AND ($2::timestamptz IS NULL OR (created_at, id) > ($2::timestamptz, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    [platformId, last?.sortTime, last?.id, limit],
  );

/** With a platform, only if the user belongs to it. */
const selectUser = (db: Queryable, id: string, platformId?: string): Promise<UserRow | undefined> =>
  row(
    db,
    `SELECT ${listedRow} FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`,
    [id, platformId ?? null],
  );

const selectNamed = (db: Queryable, platformId: string, platformUserId: string) =>
  row<UserRow>(
    db,
    `SELECT ${listedRow} FROM users WHERE platform_id = $1 AND platform_user_id = $2`,
    [platformId, platformUserId],
  );

/** A user who is already suspended keeps the time. @returns undefined for an unknown user. */
const setSuspended = (db: Queryable, { id, platformId }: UserRow, suspended: boolean) =>
  row<UserRow>(
    db,
    `UPDATE users
     SET suspended_at = CASE WHEN $3 THEN coalesce(suspended_at, now()) END, updated_at = now()
     WHERE id = $1 AND platform_id = $2 RETURNING ${listedRow}`,
    [id, platformId, suspended],
  );

interface NewUserOptions {
  readonly actor?: Actor;
  /** Whether tokens are issued: not to narrow ones. */
  readonly withTokens?: boolean;
  /** When the token was issued that makes its own user, in seconds since 1970: not one deleted since. */
  readonly since?: number;
}

const userIsGone = 'The user of the token was deleted after it was issued: sign in again.';

const idFields = toFields(only(userColumns, 'id', 'platformId', 'platformUserId'));

/** The end users of platforms. */
export class Users {
  constructor(
    private readonly db: Database,
    private readonly tokens: Tokens,
    private readonly clock: WallClock,
    /** Storage quota of a new user, in bytes. */
    private readonly defaultStorageBytes: number,
    private readonly limits: PlatformLimits,
  ) {}

  async create(
    platformId: string,
    platformUserId: string,
    { actor = 'platform', withTokens = true, since }: NewUserOptions = {},
  ): Promise<CreatedUser> {
    const id = uuidv7();
    const insert = async (tx: EntityManager): Promise<CreatedUser> => {
      await actAs(tx, actor);
      await this.limits.takeUser(tx, platformId);
      await tx
        .insert(UserEntity, {
          id,
          platformId,
          platformUserId,
          maxStorageBytes: this.defaultStorageBytes,
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error)
            ? new ServiceError('user_exists', { field: 'platform_user_id', cause: error })
            : error;
        });
      // After the insertion, which waits for a deletion of the same user.
      const gone = { name: platformUserId, since: since ?? Infinity };
      if (since !== undefined && (await wasDeletedSince(tx, platformId, gone))) {
        throw new ServiceError('token_revoked', { message: userIsGone });
      }
      if (actor === 'admin') await noteAct(tx, { act: 'user.create', platformId, userId: id });
      const pair = withTokens
        ? await this.tokens.issue({ platformId, userId: id }, tx)
        : withheldPair;
      return {
        user_id: id,
        platform_id: platformId,
        platform_user_id: platformUserId,
        ...pair,
      };
    };
    return this.limits.retrying(() => this.db.transaction(insert));
  }

  /** All users of a platform, oldest first; in batches if there are many. */
  list(platformId: string): Promise<UserRecord[] | Batches<UserRecord>> {
    return paged(
      (start: NextPage<WithSortTime<UserRow>>) => selectUsers(this.db, platformId, start),
      (user) => this.#record(user),
      1_000,
    );
  }

  /**
   * The user with this platform_user_id as a list, with a fresh access token; empty if there is
   * none.
   */
  async named(
    platformId: string,
    platformUserId: string,
    withTokens = true,
  ): Promise<ListedUser[]> {
    const user = await selectNamed(this.db, platformId, platformUserId);
    if (!user) return [];
    if (!withTokens) return [{ ...this.#record(user), access_token: withheld }];
    const [access_token] = await this.tokens.reissueAccess([{ platformId, userId: user.id }]);
    return [{ ...this.#record(user), access_token }];
  }

  async get(platformId: string | undefined, userId: string): Promise<UserRecord> {
    return this.#record(await this.#find(userId, platformId));
  }

  /** A fresh pair of tokens. */
  async issueTokens(userId: string): Promise<TokenPair> {
    const { id, platformId } = await this.#find(userId);
    const act = { act: 'user.token', platformId, userId: id } as const;
    return performAct(this.db, act, (tx) => this.tokens.issue({ platformId, userId: id }, tx));
  }

  /**
   * Suspends or resumes a user. While suspended, every token of the user is refused, from the next
   * request on and on every node.
   * @param platformId the platform that the user must belong to.
   */
  async suspend(userId: string, suspended: boolean, platformId?: string): Promise<UserState> {
    const user = await this.#find(userId, platformId);
    const act = suspended ? 'user.suspend' : 'user.resume';
    const about = { act, platformId: user.platformId, userId: user.id } as const;
    const changed = await performAct(this.db, about, async (tx) =>
      found(await setSuspended(tx, user, suspended)),
    );
    const { suspendedAt } = changed;
    return {
      ...this.#record(changed),
      suspended_at: suspendedAt && this.clock.format(suspendedAt),
    };
  }

  /** Since when the user is suspended; null if the user is not. */
  async suspendedAt(userId: string): Promise<string | null> {
    const { suspendedAt } = await this.#find(userId);
    return suspendedAt && this.clock.format(suspendedAt);
  }

  async #find(id: string, platformId?: string): Promise<UserRow> {
    const known = isUuid(id) && (platformId === undefined || isUuid(platformId));
    return found(known ? await selectUser(this.db, id, platformId) : undefined);
  }

  #record(user: UserRow): UserRecord {
    return { ...idFields(user), created_at: this.clock.format(user.createdAt) };
  }
}

function found(user: UserRow | undefined): UserRow {
  if (!user) throw new ServiceError('user_not_found');
  return user;
}
