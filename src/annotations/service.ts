import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../database/sql.js';
import type { WallClock } from '../time.js';
import { insertMemo, selectCustoms, selectMemos } from './queries.js';
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
    return groupByImage(customs, ({ id, imageId, key, value, createdAt, updatedAt }) => ({
      id,
      image_id: imageId,
      key,
      value,
      created_at: this.clock.format(createdAt),
      updated_at: this.clock.format(updatedAt),
    }));
  }
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
