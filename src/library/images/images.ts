import { validate as isUuid } from 'uuid';
import type { Database } from '../../database/joint-transaction.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Batches, RawJson } from '../../http/paging/batches.js';
import type { Usage } from '../quota/usage.js';
import type { IncludeOptions, RecordPages, RecordOptions } from './record-pages.js';
import {
  imageExists,
  selectImage,
  selectImages,
  type ImageRow,
  type ListedImage,
  type TrashFilter,
} from './images.sql.js';
import type { ListTime } from './page.sql.js';
import type { ResolveUrl, BatchedImageRecord, ImageRecords, PageTexts } from './record.js';
import type { ImageRecord } from './schemas.js';
import type { ListTotals } from '../../http/paging/pages.js';

/** An image whose rows were just inserted. */
export interface StoredImage {
  readonly row: ImageRow;
  /** Whether it has memos. */
  readonly memos: boolean;
}

/** Reads of images. */
export class Images {
  constructor(
    private readonly db: Database,
    private readonly records: ImageRecords,
    private readonly pages: RecordPages,
    private readonly usage: Usage,
  ) {}

  async get(
    userId: string,
    imageId: string,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<BatchedImageRecord> {
    const row = isUuid(imageId) ? await selectImage(this.db, userId, imageId) : undefined;
    if (!row) throw new ServiceError('image_not_found');
    return this.record(row, include, resolveUrl);
  }

  /** The record of an image whose row was just read or changed. */
  record(
    row: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<BatchedImageRecord> {
    return this.pages.one(row, include, resolveUrl);
  }

  /** The record of an image that was just stored. */
  async stored({ row, memos }: StoredImage, resolveUrl: ResolveUrl): Promise<BatchedImageRecord> {
    // A new image has no edits, so no query is needed.
    return { ...(await this.pages.one(row, { memos }, resolveUrl)), filedatas: [] };
  }

  /** Records in the order of the ids; ids without an image are skipped. */
  async getMany(
    userId: string,
    imageIds: readonly string[],
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<BatchedImageRecord[] | Batches<BatchedImageRecord>> {
    if (imageIds.length === 0) return [];
    return this.several(await selectImages(this.db, userId, imageIds), include, resolveUrl);
  }

  /** Records of images whose rows were just read or changed, in an answer about several. */
  several(
    images: readonly ListedImage[],
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<BatchedImageRecord[] | Batches<BatchedImageRecord>> {
    return this.page(images, { include, resolveUrl, shape: asItIs });
  }

  /** @throws ServiceError `image_not_found`. */
  async assertExists(userId: string, imageId: string): Promise<void> {
    const known = isUuid(imageId) && (await imageExists(this.db, userId, imageId));
    if (!known) throw new ServiceError('image_not_found');
  }

  async count(userId: string, trash: TrashFilter): Promise<number> {
    return (await this.totals(userId, trash)).items;
  }

  /** Read from the user's counters, which triggers keep exact. */
  async totals(userId: string, trash: TrashFilter): Promise<ListTotals> {
    const usage = await this.usage.of(userId);
    const active = { items: usage.activeImages, bytes: usage.activeBytes };
    const trashed = { items: usage.trashedImages, bytes: usage.trashedBytes };
    if (trash !== null) return trash ? trashed : active;
    return { items: active.items + trashed.items, bytes: active.bytes + trashed.bytes };
  }

  /** Images of a list as records, or as converted by `shape`. */
  page<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: RecordOptions<Image, Item>,
  ): Promise<Item[] | Batches<Item>> {
    return this.pages.page(images, wanted);
  }

  /** Images of a list that were read as text. */
  list(page: PageTexts, resolveUrl: ResolveUrl): RawJson<ImageRecord> {
    return this.records.list(page, resolveUrl);
  }

  /** The same as `page`, but always in batches. */
  batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: RecordOptions<Image, Item>,
  ): AsyncGenerator<Item[]> {
    return this.pages.batches(images, wanted);
  }

  /** The day of an image by a time of its record: `YYYYMMDD`. */
  dayOf({ createdAt, takenAt }: ListedImage, time: ListTime = 'created_at'): number {
    return this.records.day(time === 'taken_at' ? (takenAt ?? createdAt) : createdAt);
  }
}

const asItIs = (record: BatchedImageRecord): BatchedImageRecord => record;
