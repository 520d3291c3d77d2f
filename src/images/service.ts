import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Annotations } from '../annotations/service.js';
import { ServiceError } from '../errors/catalogue.js';
import type { Usage } from '../users/usage.js';
import { imageExists, selectEdits, selectImage, selectImages } from './queries.js';
import type { ImageRow, TrashFilter } from './queries.js';
import type { Absolute, ImageRecords } from './record.js';
import type { FiledataRecord, ImageRecord } from './schemas.js';
import type { Totals } from './walk-queries.js';

/** What an answer carries beside the images themselves. */
export interface With {
  readonly memos?: boolean;
  readonly customs?: boolean;
  readonly history?: boolean;
}

/** Reads of images. */
export class Images {
  constructor(
    private readonly db: DataSource,
    private readonly records: ImageRecords,
    private readonly annotations: Annotations,
    private readonly usage: Usage,
  ) {}

  /** @throws ServiceError `image_not_found`. */
  async get(
    userId: string,
    imageId: string,
    extras: With,
    absolute: Absolute,
  ): Promise<ImageRecord> {
    const row = isUuid(imageId) ? await selectImage(this.db, userId, imageId) : undefined;
    const [record] = row ? await this.recordsOf([row], extras, absolute) : [];
    if (!record) throw new ServiceError('image_not_found');
    return record;
  }

  /** Records in the order of the ids; an id without an image has none. */
  async many(
    userId: string,
    imageIds: readonly string[],
    extras: With,
    absolute: Absolute,
  ): Promise<ImageRecord[]> {
    if (imageIds.length === 0) return [];
    return this.recordsOf(await selectImages(this.db, userId, imageIds), extras, absolute);
  }

  /** @throws ServiceError `image_not_found`. */
  async expect(userId: string, imageId: string): Promise<void> {
    const known = isUuid(imageId) && (await imageExists(this.db, userId, imageId));
    if (!known) throw new ServiceError('image_not_found');
  }

  async count(userId: string, trash: TrashFilter): Promise<number> {
    return (await this.totals(userId, trash)).items;
  }

  /** From the user's counters, which triggers keep exact: nothing is counted. */
  async totals(userId: string, trash: TrashFilter): Promise<Totals> {
    const usage = await this.usage.of(userId);
    const active = { items: usage.activeImages, bytes: usage.activeBytes };
    const trashed = { items: usage.trashedImages, bytes: usage.trashedBytes };
    if (trash !== null) return trash ? trashed : active;
    return { items: active.items + trashed.items, bytes: active.bytes + trashed.bytes };
  }

  /** Records of rows, with one query for each kind of extra. */
  async recordsOf(
    rows: readonly ImageRow[],
    extras: With,
    absolute: Absolute,
  ): Promise<ImageRecord[]> {
    const ids = rows.map(({ id }) => id);
    const [memos, customs, filedatas] = await Promise.all([
      extras.memos ? this.annotations.memosOf(ids) : null,
      extras.customs ? this.annotations.customsOf(ids) : null,
      extras.history ? this.#historyOf(ids, absolute) : null,
    ]);
    return rows.map((row) =>
      this.records.image(
        row,
        {
          memos: memos && (memos.get(row.id) ?? []),
          customs: customs && (customs.get(row.id) ?? []),
          filedatas: filedatas && (filedatas.get(row.id) ?? []),
        },
        absolute,
      ),
    );
  }

  async #historyOf(
    imageIds: readonly string[],
    absolute: Absolute,
  ): Promise<Map<string, FiledataRecord[]>> {
    const history = new Map<string, FiledataRecord[]>();
    for (const version of await selectEdits(this.db, imageIds)) {
      const records = history.get(version.imageId) ?? [];
      records.push(this.records.filedata(version, absolute));
      history.set(version.imageId, records);
    }
    return history;
  }
}
