import { validate as isUuid } from 'uuid';
import type { WallClock } from '../../base/time.js';
import { toBytes, toMegabytes } from '../../base/units.js';
import { only, type RowOf, selectList } from '../../database/columns.js';
import { instantText, onlyValue, type Queryable, rows } from '../../database/sql.js';
import {
  indexedFields,
  type PagePosition,
  type PageRequest,
  type Pages,
} from '../../http/paging/pages.js';
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

  /** A platform's users with their usage, oldest first, optionally filtered by a search. */
  async page(
    platformId: string,
    { search, last_index: index, page_size: size, cursor }: AccountPage,
  ): Promise<AccountList> {
    const wanted = { platformId, search: search ?? null, name: null };
    const page = await this.#page('accounts', wanted, { index, cursor, size });
    return {
      ...indexedFields(page),
      items: page.found.rows.map((account) => this.#record(account)),
    };
  }

  /** The same users as the platform knows them; with a name, the one who has it. */
  async users(platformId: string, asked: UserFilter): Promise<UserPage> {
    const { platform_user_id: name, search, last_index: index = 0, cursor } = asked;
    const wanted = { platformId, search: search ?? null, name: name ?? null };
    const size = asked.page_size ?? defaultPageSize;
    const page = await this.#page('users', wanted, { index, cursor, size });
    const items = page.found.rows.map(({ id, platformUserId, createdAt }) => ({
      id,
      platform_id: platformId,
      platform_user_id: platformUserId,
      created_at: this.parts.clock.format(createdAt),
    }));
    return { ...indexedFields(page), items };
  }

  #page(list: string, wanted: UserSearch, at: Omit<PageRequest, 'list'>) {
    const { reads, pages } = this.parts;
    const known = isUuid(wanted.platformId);
    return pages.ofRows(
      { list: [list, wanted], ...at },
      {
        rows: async (start, limit) => (known ? selectAccounts(reads, wanted, start, limit) : []),
        totals: async () => ({ items: known ? await countAccounts(reads, wanted) : 0, bytes: 0 }),
      },
    );
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

type AccountRow = Readonly<RowOf<typeof listed>> & { readonly sortKey: readonly string[] };

/** Users whose name contains `search`, case-insensitively and literally. */
const matches = `platform_id = $1
  AND ($2::text IS NULL OR strpos(lower(platform_user_id), lower($2)) > 0)
  AND ($3::text IS NULL OR platform_user_id = $3)`;

interface UserSearch {
  readonly platformId: string;
  readonly search: string | null;
  /** The whole of it. */
  readonly name: string | null;
}

/** Users of a platform, oldest first. */
const selectAccounts = (
  db: Queryable,
  { platformId, search, name }: UserSearch,
  { after, offset }: PagePosition,
  limit: number,
): Promise<AccountRow[]> =>
  rows(
    db,
    `SELECT ${listedRow}, ARRAY[${instantText('created_at')}, id::text] AS "sortKey"
     FROM users
     WHERE ${matches}
       AND ($4::timestamptz IS NULL OR (created_at, id) > ($4::timestamptz, $5::uuid))
     ORDER BY created_at, id OFFSET $6 LIMIT $7`,
    [platformId, search, name, after?.[0] ?? null, after?.[1] ?? null, offset, limit],
  );

const countAccounts = (db: Queryable, { platformId, search, name }: UserSearch): Promise<number> =>
  onlyValue(db, `SELECT count(*)::int AS count FROM users WHERE ${matches}`, [
    platformId,
    search,
    name,
  ]);
