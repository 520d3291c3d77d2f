import { validate as isUuid } from 'uuid';
import type { Queryable } from '../../database/sql.js';
import type { PageCursors } from '../../http/paging/page-cursors.js';
import type { WallClock } from '../../base/time.js';
import { usedBytes } from '../quota/usage.js';
import { toMegabytes } from '../../base/units.js';
import { countAccounts, selectAccounts } from './listing.sql.js';
import type { AccountRow } from './listing.sql.js';
import type { AccountList, AccountPage } from './schemas.js';

export interface ListingParts {
  readonly reads: Queryable;
  readonly cursors: PageCursors;
  readonly clock: WallClock;
}

/** Pages of a platform's users with their usage, optionally filtered by a search. */
export class AccountListing {
  constructor(private readonly parts: ListingParts) {}

  /** @param token `jti` of the caller's token, which owns the page cursors. */
  async page(
    platformId: string,
    { search, last_index: index, page_size: size }: AccountPage,
    token: string,
  ): Promise<AccountList> {
    const { reads, cursors } = this.parts;
    const known = isUuid(platformId);
    const wanted = { platformId, search: search ?? null };
    const { rows, totals, next } = await cursors.page(
      { token, list: ['accounts', wanted], index, size },
      {
        rows: async (start, limit) => (known ? selectAccounts(reads, wanted, start, limit) : []),
        totals: async () => ({ items: known ? await countAccounts(reads, wanted) : 0, bytes: 0 }),
      },
    );
    return {
      count: rows.length,
      total_count: totals.items,
      last_index: next,
      page_size: size,
      items: rows.map((account) => this.#record(account)),
    };
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
