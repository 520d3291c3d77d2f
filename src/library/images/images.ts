import { validate as isUuid } from 'uuid';
import type { Database } from '../../database/joint-transaction.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { RawJson } from '../../http/paging/batches.js';
import type { ListTotals } from '../../http/paging/pages.js';
import type { CustomRecord } from '../annotations/schemas.js';
import type { Usage } from '../quota/usage.js';
import { joinTexts } from './field-types.js';
import {
  selectCustomsText,
  selectImageText,
  selectIncluded,
  selectThumbnails,
  type ImageRow,
  type TrashFilter,
} from './images.sql.js';
import { selectRecords, type RecordTexts } from './page.sql.js';
import type { Frame, ImageRecords, ResolveUrl } from './record.js';
import { includedIn, type IncludeOptions } from './record-fields.js';
import type { ImageRecord } from './schemas.js';

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
    private readonly usage: Usage,
  ) {}

  /** @throws ServiceError `image_not_found`. */
  async get(
    userId: string,
    imageId: string,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RawJson<ImageRecord>> {
    const text = isUuid(imageId)
      ? await selectImageText(this.db, userId, imageId, include)
      : undefined;
    if (text === undefined) throw new ServiceError('image_not_found');
    return this.records.single(this.#textsOf(text, include), resolveUrl);
  }

  /** The record of an image whose row was just read or changed. */
  async record(
    row: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RawJson<ImageRecord>> {
    return this.records.single(await this.#with(row, include), resolveUrl);
  }

  /** The record of an image that was just stored. */
  async stored({ row, memos }: StoredImage, resolveUrl: ResolveUrl): Promise<RawJson<ImageRecord>> {
    const { text } = await this.#with(row, { memos });
    // A new image has no edits, so no query is needed.
    const whole = this.#textsOf(joinTexts(text, ''), { memos, history: true });
    return this.records.single(whole, resolveUrl);
  }

  /** Records in the order of the ids; ids without an image are skipped. */
  async getMany(
    imageIds: readonly string[],
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RawJson<ImageRecord[]>> {
    return this.records.list(await selectRecords(this.db, imageIds, include), resolveUrl);
  }

  /** The record of an image whose row was just changed, in an answer about several. */
  async amongSeveral(
    row: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<RawJson<ImageRecord[]>> {
    return this.records.list(await this.#with(row, include), resolveUrl);
  }

  /** The signed URLs of the thumbnails of these images, by id; of those that are still there. */
  async thumbUrls(
    userId: string,
    imageIds: readonly string[],
    resolveUrl: ResolveUrl,
  ): Promise<ReadonlyMap<string, string>> {
    const found = await selectThumbnails(this.db, userId, imageIds);
    return new Map(found.map((one) => [one.imageId, this.records.thumbUrl(one, resolveUrl)]));
  }

  /** The customs of an image, oldest first. @throws ServiceError `image_not_found`. */
  async customs(userId: string, imageId: string): Promise<RawJson<CustomRecord[]>> {
    const text = isUuid(imageId) ? await selectCustomsText(this.db, userId, imageId) : undefined;
    if (text === undefined) throw new ServiceError('image_not_found');
    return this.records.customs(text);
  }

  /** Read from the user's counters, which triggers keep exact. */
  async totals(userId: string, trash: TrashFilter): Promise<ListTotals> {
    const usage = await this.usage.of(userId);
    const active = { items: usage.activeImages, bytes: usage.activeBytes };
    const trashed = { items: usage.trashedImages, bytes: usage.trashedBytes };
    if (trash !== null) return trash ? trashed : active;
    return { items: active.items + trashed.items, bytes: active.bytes + trashed.bytes };
  }

  /** Images of a list, by default as an array of their records. */
  list<Item = ImageRecord>(
    page: RecordTexts,
    resolveUrl: ResolveUrl,
    frame?: Frame,
  ): RawJson<Item[]> {
    return this.records.list(page, resolveUrl, frame);
  }

  async #with({ id, text }: ImageRow, include: IncludeOptions): Promise<RecordTexts> {
    if (includedIn(include).length === 0) return this.#textsOf(text, {});
    const included = await selectIncluded(this.db, id, include);
    return this.#textsOf(joinTexts(text, included), include);
  }

  #textsOf(text: string, include: IncludeOptions): RecordTexts {
    return { text, rest: [], include, db: this.db };
  }
}
