import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { toMegabytes } from '../../base/units.js';
import { selectList, without, type RowOf } from '../../database/columns.js';
import type { Database } from '../../database/joint-transaction.js';
import {
  exists,
  instantText,
  isUniqueViolation,
  type Queryable,
  row,
  rows,
} from '../../database/sql.js';
import { noteAct, performAct } from '../../http/audit/acts.js';
import type { TokenPair, Tokens } from '../../http/auth/tokens.js';
import { withheldPair } from '../../http/record-fields.js';
import {
  type Batches,
  paged,
  type NextPage,
  type WithSortTime,
} from '../../http/paging/batches.js';
import type { Limits, LimitsRow, PlatformLimits } from '../quota/platform-limits.js';
import { PlatformEntity, platformColumns } from './entity.js';
import type { CreatedPlatform, ListedPlatform, PlatformRecord } from './schemas.js';

const listed = without(
  platformColumns,
  ...(['tokenGeneration', 'revokedAt', 'deletingAt'] as const),
);

type PlatformRow = Readonly<RowOf<typeof listed>> & { readonly userCount: number };

const columns = `
  ${selectList(listed, 'p')},
  (SELECT count(*)::int FROM users u WHERE u.platform_id = p.id) AS "userCount"`;

type ListedRow = WithSortTime<
  PlatformRow & {
    readonly images: number;
    readonly usedBytes: number;
    readonly lastUploadAt: Date | null;
  }
>;

/** Platforms after the given one, oldest first; without those being deleted. */
const selectPlatforms = (db: Queryable, { last, limit }: NextPage<ListedRow>) =>
  rows<ListedRow>(
    db,
    `SELECT ${columns}, ${instantText('p.created_at')} AS "sortTime", u.*, (
       SELECT e.occurred_at FROM usage_events e
       WHERE e.platform_id = p.id AND e.upload_camera + e.upload_gallery + e.upload_request > 0
       ORDER BY e.occurred_at DESC LIMIT 1
     ) AS "lastUploadAt"
     FROM platforms p CROSS JOIN LATERAL (
       SELECT coalesce(sum(active_images + trashed_images), 0)::bigint AS images,
              coalesce(sum(stored_bytes + text_bytes + announced_bytes), 0)::bigint AS "usedBytes"
       FROM users WHERE platform_id = p.id
     ) AS u
     WHERE p.deleting_at IS NULL
       AND ($1::timestamptz IS NULL OR (p.created_at, p.id) > ($1::timestamptz, $2::uuid))
     ORDER BY p.created_at, p.id LIMIT $3`,
    [last?.sortTime, last?.id, limit],
  );

const selectPlatform = (db: Queryable, id: string): Promise<PlatformRow | undefined> =>
  row(db, `SELECT ${columns} FROM platforms p WHERE p.id = $1 AND p.deleting_at IS NULL`, [id]);

/** Sets the given columns. @throws ServiceError `platform_not_found`. */
async function change(db: Queryable, set: string, values: readonly unknown[]): Promise<void> {
  const sql = `UPDATE platforms SET ${set}, updated_at = now()
    WHERE id = $1 AND deleting_at IS NULL RETURNING id`;
  if (!(await exists(db, sql, values))) throw new ServiceError('platform_not_found');
}

/** Client platforms: the tenants of an installation. */
export class Platforms {
  constructor(
    private readonly db: Database,
    private readonly tokens: Tokens,
    private readonly clock: WallClock,
    private readonly limits: PlatformLimits,
  ) {}

  /** @param name unique; generated if omitted. @param withTokens whether tokens are issued. */
  async create(name?: string, withTokens = true): Promise<CreatedPlatform> {
    const id = uuidv7();
    const platform = { id, name: name ?? `platform-${id}` };
    return this.db.transaction(async (tx) => {
      await tx.insert(PlatformEntity, platform).catch(nameTaken);
      await noteAct(tx, {
        act: 'platform.create',
        platformId: id,
        details: { name: platform.name },
      });
      const row = await tx.findOneByOrFail(PlatformEntity, { id });
      const pair = withTokens ? await this.tokens.issue({ platformId: id }, tx) : withheldPair;
      return { ...this.#record(row), ...pair };
    });
  }

  /** All platforms, oldest first; in batches if there are many. */
  list(): Promise<ListedPlatform[] | Batches<ListedPlatform>> {
    return paged(
      (start: NextPage<ListedRow>) => selectPlatforms(this.db, start),
      (row) => ({
        ...this.#withCount(row),
        image_count: row.images,
        used_storage_mb: toMegabytes(row.usedBytes),
        last_upload_at: row.lastUploadAt && this.clock.format(row.lastUploadAt),
      }),
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
    const act = { act: 'platform.token', platformId } as const;
    return performAct(this.db, act, (tx) => this.tokens.issue({ platformId }, tx));
  }

  /** Revokes every token of the platform and its users. */
  async revokeTokens(id: string): Promise<void> {
    const { id: platformId } = await this.get(id);
    const act = { act: 'platform.revoke', platformId } as const;
    await performAct(this.db, act, (tx) => this.tokens.revokePlatform(platformId, tx));
  }

  /** @throws ServiceError `platform_not_found`, `platform_exists`. */
  async rename(id: string, name: string): Promise<PlatformRecord> {
    const { id: platformId, platform: before } = await this.get(id);
    const details = { before, after: name };
    await performAct(this.db, { act: 'platform.rename', platformId, details }, (tx) =>
      change(tx, 'name = $2', [platformId, name]).catch(nameTaken),
    );
    return this.get(platformId);
  }

  /** Whether anybody may read the log of the platform. @throws ServiceError `platform_not_found`. */
  async publishLog(id: string, published: boolean): Promise<void> {
    const { id: platformId } = await this.get(id);
    const act = published ? 'platform.publish_log' : 'platform.hide_log';
    await performAct(this.db, { act, platformId }, (tx) =>
      change(tx, 'publish_log = $2', [platformId, published]),
    );
  }

  /**
   * Suspends or resumes a platform. While suspended, every token of the platform and its users is
   * refused, from the next request on and on every node, and its webhooks wait.
   */
  async suspend(id: string, suspended: boolean): Promise<PlatformRecord> {
    const { id: platformId } = await this.get(id);
    const act = suspended ? 'platform.suspend' : 'platform.resume';
    // One that is already suspended keeps the time.
    const set = 'suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END';
    await performAct(this.db, { act, platformId }, (tx) =>
      change(tx, set, [platformId, suspended]),
    );
    return this.get(platformId);
  }

  /** Sets the limits of the platform. @returns the limits, and what is left of them. */
  async limit(id: string, limits: Limits): Promise<LimitsRow | undefined> {
    const { id: platformId } = await this.get(id);
    const { maxBytes: bytes, maxImages: images, maxUsers: users } = limits;
    const details = { bytes, images, users };
    await performAct(this.db, { act: 'platform.limit', platformId, details }, (tx) =>
      this.limits.set(tx, platformId, limits),
    );
    return this.limits.enforce(platformId);
  }

  /** The limits of the platform; null: no limit. */
  async limitsOf(id: string) {
    const limits = await this.limits.of(id);
    const bytes = limits?.maxBytes ?? null;
    return {
      max_storage_mb: bytes === null ? null : toMegabytes(bytes),
      max_images: limits?.maxImages ?? null,
      max_users: limits?.maxUsers ?? null,
    };
  }

  #record(row: Pick<PlatformRow, 'id' | 'name' | 'createdAt' | 'updatedAt'>) {
    return {
      id: row.id,
      platform: row.name,
      created_at: this.clock.format(row.createdAt),
      updated_at: this.clock.format(row.updatedAt),
    };
  }

  #withCount(row: PlatformRow): PlatformRecord {
    const { suspendedAt, userCount } = row;
    return {
      ...this.#record(row),
      user_count: userCount,
      ...(suspendedAt && { suspended_at: this.clock.format(suspendedAt) }),
    };
  }
}

function nameTaken(error: unknown): never {
  throw isUniqueViolation(error)
    ? new ServiceError('platform_exists', { field: 'platform', cause: error })
    : error;
}
