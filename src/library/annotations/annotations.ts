import { NIL, validate as isUuid, v7 as uuidv7 } from 'uuid';
import { toFields, without } from '../../database/columns.js';
import { type Queryable, isForeignKeyViolation } from '../../database/sql.js';
import type { Config } from '../../base/config/options.js';
import type { WallClock } from '../../base/time.js';
import { toBytes } from '../../base/units.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { PlatformLimits } from '../quota/platform-limits.js';
import * as queries from './annotations.sql.js';
import type { AnnotationKey, CustomRow, AnnotationLimits } from './annotations.sql.js';
import { customColumns } from './entity.js';
import type { CustomRecord } from './schemas.js';

interface NewMemo {
  readonly userId: string;
  readonly imageId: string;
  readonly message: string;
  readonly isClient: boolean;
}

const customFields = toFields(without(customColumns, 'createdAt', 'updatedAt'));

export const annotationLimits = (config: Config): AnnotationLimits => ({
  memos: config['limits.max_memos'],
  customs: config['limits.max_customs'],
  textBytes: toBytes(config['limits.max_text_mb']),
});

/** Memos and customs: notes that users attach to images. */
export class Annotations {
  constructor(
    private readonly db: Queryable,
    private readonly clock: WallClock,
    private readonly limits: AnnotationLimits,
    private readonly platformLimits = new PlatformLimits(db),
  ) {}

  /**
   * Adds a memo inside the caller's transaction.
   * @throws ServiceError `too_many_memos`, `too_much_text`, `storage_quota_exceeded`;
   *   `image_not_found` while its user is being deleted; NoCapacity.
   */
  async addMemo(tx: Queryable, memo: NewMemo): Promise<void> {
    const made = await queries
      .insertMemo(tx, { id: uuidv7(), ...memo }, this.limits)
      .catch(this.#refused('message'));
    requireChanged(made, 'memo_not_found');
  }

  async createMemo(memo: NewMemo): Promise<void> {
    if (!isUuid(memo.imageId)) throw new ServiceError('image_not_found');
    await this.platformLimits.retrying(() => this.addMemo(this.db, memo).catch(onMissingImage));
  }

  /** Omitted fields stay unchanged. */
  async changeMemo(
    memo: AnnotationKey,
    changes: { message?: string; isClient?: boolean },
  ): Promise<void> {
    const changed = await this.platformLimits.retrying(() =>
      queries
        .updateMemo(this.db, assertUuids(memo), changes, this.limits)
        .catch(this.#refused('message')),
    );
    requireChanged(changed, 'memo_not_found');
  }

  async removeMemo(memo: AnnotationKey): Promise<void> {
    requireChanged(await queries.deleteMemo(this.db, assertUuids(memo)), 'memo_not_found');
  }

  /** Adds a custom inside the caller's transaction. @throws ServiceError as `createCustom`; NoCapacity. */
  async addCustom(
    tx: Queryable,
    { userId, imageId }: Omit<AnnotationKey, 'id'>,
    fields: { key: string; value: string },
  ): Promise<CustomRecord> {
    const custom = assertUuids({ id: uuidv7(), userId, imageId });
    const made = await queries
      .insertCustom(tx, { ...custom, ...fields }, this.limits)
      .catch(onMissingImage)
      .catch(this.#refused('value'));
    return this.#custom(requireChanged(made, 'image_not_found'));
  }

  createCustom(
    image: Omit<AnnotationKey, 'id'>,
    fields: { key: string; value: string },
  ): Promise<CustomRecord> {
    return this.platformLimits.retrying(() => this.addCustom(this.db, image, fields));
  }

  /** Omitted fields stay unchanged. */
  async changeCustom(
    custom: AnnotationKey,
    changes: { key?: string; value?: string },
  ): Promise<CustomRecord> {
    const field = changes.value === undefined ? 'key' : 'value';
    const changed = await this.platformLimits.retrying(() =>
      queries
        .updateCustom(this.db, assertUuids(custom), changes, this.limits)
        .catch(this.#refused(field)),
    );
    return this.#custom(requireChanged(changed, 'custom_not_found'));
  }

  /** @returns the custom as it was before. */
  async removeCustom(custom: AnnotationKey): Promise<CustomRecord> {
    return this.#custom(
      requireChanged(await queries.deleteCustom(this.db, assertUuids(custom)), 'custom_not_found'),
    );
  }

  #refused(field: string): (error: unknown) => never {
    return (error) => {
      const { limits, platformLimits } = this;
      throw queries.limitErrorOf(error, { field, limits, platformLimits });
    };
  }

  #custom(custom: CustomRow): CustomRecord {
    const { createdAt, updatedAt } = custom;
    return {
      ...customFields(custom),
      created_at: this.clock.format(createdAt),
      updated_at: this.clock.format(updatedAt),
    };
  }
}

/**
 * An id that is not a UUID is unknown; the image is checked first. @throws ServiceError
 * `image_not_found`.
 */
function assertUuids(key: AnnotationKey): AnnotationKey {
  if (!isUuid(key.imageId)) throw new ServiceError('image_not_found');
  return isUuid(key.id) ? key : { ...key, id: NIL };
}

/** The annotation from a statement's row; no row means no such image, or no such user any more. */
function requireChanged<Row extends { readonly id: string | null }>(
  changed: Row | undefined,
  missing: 'memo_not_found' | 'custom_not_found' | 'image_not_found',
): Row & { readonly id: string } {
  if (!changed) throw new ServiceError('image_not_found');
  if (changed.id === null) throw new ServiceError(missing);
  return changed as Row & { readonly id: string };
}

/**
 * Annotations reference the image together with its user, so another user's image is a violation
 * too.
 */
function onMissingImage(error: unknown): never {
  throw isForeignKeyViolation(error)
    ? new ServiceError('image_not_found', { cause: error })
    : error;
}
