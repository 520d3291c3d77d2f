import type { DataSource } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { TokenPair, Tokens } from '../auth/tokens.js';
import { isUniqueViolation } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import type { Batches } from '../paging/batches.js';
import { paged } from '../paging/paged.js';
import type { NextPage, WithSortTime } from '../paging/paged.js';
import type { WallClock } from '../time.js';
import { PlatformEntity } from './entity.js';
import { selectPlatform, selectPlatforms } from './queries.js';
import type { PlatformRow } from './queries.js';
import type { CreatedPlatform, PlatformRecord } from './schemas.js';

/** Client platforms: the tenants of an installation. */
export class Platforms {
  constructor(
    private readonly db: DataSource,
    private readonly tokens: Tokens,
    private readonly clock: WallClock,
  ) {}

  /** @param name unique; generated if omitted. */
  async create(name?: string): Promise<CreatedPlatform> {
    const id = uuidv7();
    const platform = { id, name: name ?? `platform-${id}` };
    return this.db.transaction(async (tx) => {
      await tx.insert(PlatformEntity, platform).catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? new ServiceError('platform_exists', { field: 'platform', cause: error })
          : error;
      });
      const row = await tx.findOneByOrFail(PlatformEntity, { id });
      const pair = await this.tokens.issue({ platformId: id }, tx);
      return { ...this.#record(row), ...pair };
    });
  }

  /** All platforms, oldest first; in batches if there are many. */
  list(): Promise<PlatformRecord[] | Batches<PlatformRecord>> {
    return paged(
      (start: NextPage<WithSortTime<PlatformRow>>) => selectPlatforms(this.db, start),
      (row) => this.#withCount(row),
      1_000,
    );
  }

  async get(id: string): Promise<PlatformRecord> {
    const row = isUuid(id) ? await selectPlatform(this.db, id) : undefined;
    if (!row) throw new ServiceError('platform_not_found');
    return this.#withCount(row);
  }

  /** A fresh pair of tokens. */
  async issueTokens(id: string): Promise<TokenPair> {
    const { id: platformId } = await this.get(id);
    return this.tokens.issue({ platformId });
  }

  /** Revokes every token of the platform and its users. */
  async revokeTokens(id: string): Promise<void> {
    await this.tokens.revokePlatform((await this.get(id)).id);
  }

  #record({ id, name, createdAt, updatedAt }: Omit<PlatformRow, 'userCount'>) {
    return {
      id,
      platform: name,
      created_at: this.clock.format(createdAt),
      updated_at: this.clock.format(updatedAt),
    };
  }

  #withCount(row: PlatformRow): PlatformRecord {
    return { ...this.#record(row), user_count: row.userCount };
  }
}
