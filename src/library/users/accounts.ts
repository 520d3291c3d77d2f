import { validate as isUuid } from 'uuid';
import type { WallClock } from '../../base/time.js';
import { toBytes, toMegabytes } from '../../base/units.js';
import { only, type RowOf, selectList } from '../../database/columns.js';
import { instantText, onlyValue, type Queryable, rows } from '../../database/sql.js';
import type { IndexQuery, PagePosition, Pages } from '../../http/paging/pages.js';
import { defaultPageSize } from '../../http/request-fields.js';
import { usedBytes, type Usage, type UsageRow } from '../quota/usage.js';
import { userColumns } from './entity.js';
import type {
  AccountList,
  AccountPage,
  UpdatedUser,
  UserFilter,
  UserInfo,
  UserPage,
} from './schemas.js';

interface AccountParts {
  readonly usage: Usage;
  /** For pages. */
  readonly reads: Queryable;
  readonly pages: Pages;
  readonly clock: WallClock;
}

/** Usage and quotas of users: of one, and in pages of all users of a platform. */
export class Accounts {
  constructor(private readonly parts: AccountParts) {}

  /** @param platformId the platform that the user must belong to. */
  async info(userId: string, platformId?: string): Promise<UserInfo> {
    return infoOf(await this.parts.usage.of(userId, platformId));
  }

  /**
   * Sets the user's quota, if given. It may be below the current usage: nothing is lost, but
   * uploads are refused until enough is deleted.
   */
  async setQuota(userId: string, maxStorageMb?: number): Promise<UpdatedUser> {
    const usage =
      maxStorageMb === undefined
        ? await this.parts.usage.of(userId)
        : await this.parts.usage.setQuota(userId, toBytes(maxStorageMb));
    return { id: userId, ...infoOf(usage) };
  }

  /** A platform's users with their usage. */
  async page(platformId: string, asked: AccountPage): Promise<AccountList> {
    const { search = null, user_id: userId = null, state = null } = asked;
    const { sort_by: sortBy, sort_order: order } = asked;
    const wanted = { platformId, search, name: null, userId, state, sortBy, order };
    const { fields, rows } = await this.#page('accounts', wanted, asked);
    return { ...fields, items: rows.map((account) => this.#record(account)) };
  }

  /** The same users as the platform knows them; with a name, the one who has it. */
  async users(platformId: string, asked: UserFilter): Promise<UserPage> {
    const { platform_user_id: name, search, last_index = 0, cursor } = asked;
    const wanted = { ...everyone, platformId, search: search ?? null, name: name ?? null };
    const { page_size = defaultPageSize } = asked;
    const at = { last_index, page_size, cursor };
    const { fields, rows } = await this.#page('users', wanted, at);
    const items = rows.map(({ id, platformUserId, createdAt }) => ({
      id,
      platform_id: platformId,
      platform_user_id: platformUserId,
      created_at: this.parts.clock.format(createdAt),
    }));
    return { ...fields, items };
  }

  #page(list: string, wanted: UserSearch, at: IndexQuery) {
    const { reads, pages } = this.parts;
    const known = isUuid(wanted.platformId) && (wanted.userId === null || isUuid(wanted.userId));
    return pages.ofRows([list, wanted], at, {
      rows: async (start, limit) => (known ? selectAccounts(reads, wanted, start, limit) : []),
      totals: async () => ({ items: known ? await countAccounts(reads, wanted) : 0, bytes: 0 }),
    });
  }

  #record(row: AccountRow): AccountList['items'][number] {
    const { clock } = this.parts;
    return {
      id: row.id,
      platform_user_id: row.platformUserId,
      created_at: clock.format(row.createdAt),
      suspended_at: row.suspendedAt && clock.format(row.suspendedAt),
      image_count: row.activeImages,
      trash_image_count: row.trashedImages,
      used_storage_mb: toMegabytes(usedBytes(row)),
      max_storage_mb: toMegabytes(row.maxStorageBytes),
      last_upload_at: row.lastUploadAt && clock.format(row.lastUploadAt),
    };
  }
}

export const infoOf = (usage: UsageRow): UserInfo => ({
  image_count: usage.activeImages,
  max_storage_mb: toMegabytes(usage.maxStorageBytes),
  used_storage_mb: toMegabytes(usedBytes(usage)),
  trash_image_count: usage.trashedImages,
});

const listed = only(
  userColumns,
  ...(['id', 'platformUserId', 'createdAt', 'suspendedAt'] as const),
  ...(['activeImages', 'trashedImages', 'storedBytes', 'textBytes'] as const),
  ...(['announcedBytes', 'maxStorageBytes'] as const),
);
const listedRow = selectList(listed);

type AccountRow = Readonly<RowOf<typeof listed>> & {
  readonly lastUploadAt: Date | null;
  readonly sortKey: readonly string[];
};

/** SQL: what the quota of a user counts. */
const used = 'stored_bytes + text_bytes + announced_bytes';

/** SQL: whether a user's quota is used up. */
const isFull = `${used} >= max_storage_bytes`;

/** Users whose name contains `search`, case-insensitively and literally. */
const matches = `platform_id = $1
  AND ($2::text IS NULL OR strpos(lower(platform_user_id), lower($2)) > 0)
  AND ($3::text IS NULL OR platform_user_id = $3)
  AND ($4::uuid IS NULL OR id = $4)
  AND CASE $5::text WHEN 'suspended' THEN suspended_at IS NOT NULL
    WHEN 'active' THEN suspended_at IS NULL WHEN 'full' THEN ${isFull} ELSE true END`;

interface UserSearch {
  readonly platformId: string;
  readonly search: string | null;
  /** The whole of it. */
  readonly name: string | null;
  readonly userId: string | null;
  readonly state: AccountPage['state'] | null;
  readonly sortBy: AccountPage['sort_by'];
  readonly order: AccountPage['sort_order'];
}

/** All users, oldest first. */
const everyone = { userId: null, state: null, sortBy: 'created_at', order: 'asc' } as const;

const valuesOf = ({ platformId, search, name, userId, state }: UserSearch) => [
  platformId,
  search,
  name,
  userId,
  state,
];

const lastUpload = `(SELECT i.created_at FROM images i WHERE i.user_id = u.id
  ORDER BY i.created_at DESC, i.id DESC LIMIT 1)`;

/** SQL: what users `u` are sorted by, and its type. */
const orders: Readonly<Record<UserSearch['sortBy'], readonly [key: string, type: string]>> = {
  created_at: ['created_at', 'timestamptz'],
  name: ['platform_user_id COLLATE korean_numeric', 'text COLLATE korean_numeric'],
  images: ['active_images', 'bigint'],
  storage: [used, 'bigint'],
  last_upload: [`coalesce(${lastUpload}, '0001-01-01Z')`, 'timestamptz'],
};

/** Users of a platform, in their order; each with the last upload. */
function selectAccounts(
  db: Queryable,
  wanted: UserSearch,
  { after, offset }: PagePosition,
  limit: number,
): Promise<AccountRow[]> {
  const [key, type] = orders[wanted.sortBy];
  const [beyond, direction] = wanted.order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
  const text = type === 'timestamptz' ? instantText('key') : 'key::text';
  return rows(
    db,
    `SELECT ${listedRow}, ${lastUpload} AS "lastUploadAt", ARRAY[${text}, id::text] AS "sortKey"
     FROM (
       SELECT *, ${key} AS key FROM users u
       WHERE ${matches}
         AND ($6::text IS NULL OR (${key}, id) ${beyond} ($6::${type}, $7::uuid))
       ORDER BY key ${direction}, id ${direction} OFFSET $8 LIMIT $9
     ) AS u
     ORDER BY key ${direction}, id ${direction}`,
    [...valuesOf(wanted), after?.[0] ?? null, after?.[1] ?? null, offset, limit],
  );
}

interface FullUser {
  readonly platformId: string;
  readonly platform: string;
  readonly userId: string;
  readonly name: string;
  readonly usedBytes: number;
  readonly maxBytes: number;
  /** Of all of them. */
  readonly users: number;
}

/** The users whose quota is used up, those who are the most beyond it first. */
export const selectFullUsers = (db: Queryable, limit: number): Promise<FullUser[]> =>
  rows(
    db,
    `SELECT p.id AS "platformId", p.name AS platform, u.id AS "userId", u.platform_user_id AS name,
            u.used AS "usedBytes", u.max_storage_bytes AS "maxBytes", count(*) OVER ()::int AS users
     FROM (SELECT *, ${used} AS used FROM users WHERE ${isFull}) AS u
     JOIN platforms p ON p.id = u.platform_id AND p.deleting_at IS NULL
     ORDER BY u.used - u.max_storage_bytes DESC, u.id LIMIT $1`,
    [limit],
  );

const countAccounts = (db: Queryable, wanted: UserSearch): Promise<number> =>
  onlyValue(db, `SELECT count(*)::int AS count FROM users WHERE ${matches}`, valuesOf(wanted));
