import type { DataSource } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../database/sql.js';
import type { WallClock } from '../time.js';
import { isForeignKeyViolation } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import {
  deleteCustom,
  deleteMemo,
  insertCustom,
  insertMemo,
  selectCustoms,
  selectMemos,
  updateCustom,
  updateMemo,
} from './queries.js';
import type { AnnotationKey, CustomRow } from './queries.js';
import type { CustomRecord, MemoRecord } from './schemas.js';

export interface NewMemo {
  readonly userId: string;
  readonly imageId: string;
  readonly message: string;
  readonly isClient: boolean;
}

/** Memos and customs: what users note on images. */
export class Annotations {
  constructor(
    private readonly db: DataSource,
    private readonly clock: WallClock,
  ) {}

  /** Adds a memo inside the caller's transaction. */
  async addMemo(tx: Queryable, memo: NewMemo): Promise<void> {
    await insertMemo(tx, { id: uuidv7(), ...memo });
  }

  /** @throws ServiceError `image_not_found`. */
  async createMemo(memo: NewMemo): Promise<void> {
    if (!isUuid(memo.imageId)) throw new ServiceError('image_not_found');
    await this.addMemo(this.db, memo).catch(onMissingImage);
  }

  /** What is not given stays. @throws ServiceError `memo_not_found`. */
  async changeMemo(
    memo: AnnotationKey,
    changes: { message?: string; isClient?: boolean },
  ): Promise<void> {
    const changed = isUuid(memo.id) && (await updateMemo(this.db, memo, changes));
    if (!changed) throw new ServiceError('memo_not_found');
  }

  /** @throws ServiceError `memo_not_found`. */
  async removeMemo(memo: AnnotationKey): Promise<void> {
    const removed = isUuid(memo.id) && (await deleteMemo(this.db, memo));
    if (!removed) throw new ServiceError('memo_not_found');
  }

  /** @throws ServiceError `image_not_found`. */
  async createCustom(
    { userId, imageId }: Omit<AnnotationKey, 'id'>,
    fields: { key: string; value: string },
  ): Promise<CustomRecord> {
    if (!isUuid(imageId)) throw new ServiceError('image_not_found');
    const key = { id: uuidv7(), userId, imageId };
    return this.#custom(await insertCustom(this.db, key, fields).catch(onMissingImage));
  }

  /** What is not given stays. @throws ServiceError `custom_not_found`. */
  async changeCustom(
    custom: AnnotationKey,
    changes: { key?: string; value?: string },
  ): Promise<CustomRecord> {
    return this.#custom(
      isUuid(custom.id) ? await updateCustom(this.db, custom, changes) : undefined,
    );
  }

  /** @returns what the custom was. @throws ServiceError `custom_not_found`. */
  async removeCustom(custom: AnnotationKey): Promise<CustomRecord> {
    return this.#custom(isUuid(custom.id) ? await deleteCustom(this.db, custom) : undefined);
  }

  /** Memos by image id, oldest first, in one query. */
  async memosOf(imageIds: readonly string[]): Promise<Map<string, MemoRecord[]>> {
    const memos = await selectMemos(this.db, imageIds);
    return groupByImage(memos, ({ id, imageId, message, isClient, createdAt, updatedAt }) => ({
      id,
      image_id: imageId,
      message,
      is_client: isClient,
      created_at: this.clock.format(createdAt),
      updated_at: this.clock.format(updatedAt),
    }));
  }

  /** Customs by image id, oldest first, in one query. */
  async customsOf(imageIds: readonly string[]): Promise<Map<string, CustomRecord[]>> {
    const customs = await selectCustoms(this.db, imageIds);
    return groupByImage(customs, (custom) => this.#custom(custom));
  }

  #custom(custom: CustomRow | undefined): CustomRecord {
    if (!custom) throw new ServiceError('custom_not_found');
    return {
      id: custom.id,
      image_id: custom.imageId,
      key: custom.key,
      value: custom.value,
      created_at: this.clock.format(custom.createdAt),
      updated_at: this.clock.format(custom.updatedAt),
    };
  }
}

/** Annotations refer to the image and its user: to another's image there is nothing to refer to. */
function onMissingImage(error: unknown): never {
  throw isForeignKeyViolation(error)
    ? new ServiceError('image_not_found', { cause: error })
    : error;
}

function groupByImage<Row extends { imageId: string }, Item>(
  rows: readonly Row[],
  record: (row: Row) => Item,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const row of rows) {
    const group = groups.get(row.imageId);
    if (group) group.push(record(row));
    else groups.set(row.imageId, [record(row)]);
  }
  return groups;
}
