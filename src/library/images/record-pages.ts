import { readAhead } from '../../base/concurrency.js';
import { bytesPerMegabyte } from '../../base/units.js';
import type { Queryable } from '../../database/sql.js';
import { Batches } from '../../http/paging/batches.js';
import type { Annotations } from '../annotations/annotations.js';
import {
  fewImages,
  selectImageRows,
  type ImageRow,
  type ListedImage,
  selectEdits,
  idBatches,
} from './images.sql.js';
import type { ResolveUrl, BatchedImageRecord, ImageRecords, IncludedRecords } from './record.js';
import type { FiledataRecord } from './schemas.js';

/** What a response includes in addition to the images. */
export interface IncludeOptions {
  readonly memos?: boolean;
  readonly customs?: boolean;
  readonly history?: boolean;
}

/** Images whose rows are held in memory at a time in a large response. */
const imagesAtOnce = 100;
/** Bytes of extras held in memory at a time, unless a single image has more. */
const bytesAtOnce = bytesPerMegabyte;

/** What records contain. */
interface Recorded {
  readonly include: IncludeOptions;
  readonly resolveUrl: ResolveUrl;
}

/** SQL of images `i`, with the values bound in its condition. */
interface Matching {
  readonly condition: string;
  readonly values: readonly unknown[];
  readonly order?: string;
}

/** How to convert images to records. */
export interface RecordOptions<Image, Item> extends Recorded {
  /** Converts an image for the response. */
  readonly shape: (record: BatchedImageRecord, image: Image) => Item;
}

/**
 * Pages of images as records. A small page is an array, read at once. A page that may be large is
 * read in batches while it is sent, sized by estimates for each image, so that rows and extras in
 * memory stay within a few megabytes. Images deleted in the meantime are omitted.
 * `texts` and `all` need a database that is one transaction.
 */
export class RecordPages {
  constructor(
    private readonly db: Queryable,
    private readonly records: ImageRecords,
    private readonly include: ImageIncludes,
  ) {}

  async page<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: RecordOptions<Image, Item>,
  ): Promise<Item[] | Batches<Item>> {
    // The extras of a single image are read without checking their size first, since they are
    // bounded.
    const estimates =
      images.length > 1 ? await this.include.estimateBytes(images, wanted.include) : new Map();
    const small = images.length <= fewImages && sum(estimates.values()) <= bytesAtOnce;
    return small
      ? this.#items(images, wanted)
      : new Batches(this.#batches(images, estimates, wanted));
  }

  /** One image, whose extras come in batches if there are many. */
  async one(
    row: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<BatchedImageRecord> {
    const included = await this.include.ofOne(row, include, resolveUrl, true);
    return this.records.single(row, included, resolveUrl);
  }

  /** Always in batches. */
  async *batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: RecordOptions<Image, Item>,
  ): AsyncGenerator<Item[]> {
    yield* this.#batches(images, await this.include.estimateBytes(images, wanted.include), wanted);
  }

  /** The records of all matching images as texts (see `ImageRecords.texts`), for large answers. */
  async *texts(
    matching: Matching,
    recorded: Recorded,
  ): AsyncGenerator<(string | BatchedImageRecord)[]> {
    for await (const { rows, extrasOf } of readAhead(this.#matching(matching, recorded))) {
      yield this.records.texts(rows, extrasOf, recorded.resolveUrl);
    }
  }

  /** The same as objects. */
  async *all(matching: Matching, recorded: Recorded): AsyncGenerator<BatchedImageRecord[]> {
    for await (const { rows, extrasOf } of this.#matching(matching, recorded)) {
      yield rows.map((row) => this.records.image(row, extrasOf(row), recorded.resolveUrl));
    }
  }

  /** The images, and what their records include, in batches. */
  async *#matching({ condition, values, order }: Matching, { include, resolveUrl }: Recorded) {
    for await (const ids of idBatches(this.db, condition, values, order)) {
      for (let n = 0; n < ids.length; n += imagesAtOnce) {
        const images = await selectImageRows(this.db, ids.slice(n, n + imagesAtOnce));
        const estimates = await this.include.estimateBytes(images, include);
        for (const rows of splitByBytes(images, estimates)) {
          yield { rows, extrasOf: await this.#extrasOf(rows, include, resolveUrl) };
        }
      }
    }
  }

  async *#batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    estimates: ReadonlyMap<string, number>,
    wanted: RecordOptions<Image, Item>,
  ): AsyncGenerator<Item[]> {
    for (const batch of splitByBytes(images, estimates)) yield this.#items(batch, wanted);
  }

  async #items<Image extends ListedImage, Item>(
    images: readonly Image[],
    { include, resolveUrl, shape }: RecordOptions<Image, Item>,
  ): Promise<Item[]> {
    const rows = await this.#rows(images);
    const extrasOf = await this.#extrasOf(rows, include, resolveUrl);
    const listed = new Map(images.map((image) => [image.id, image]));
    return rows.flatMap((row) => {
      const image = listed.get(row.id);
      return image ? [shape(this.records.image(row, extrasOf(row), resolveUrl), image)] : [];
    });
  }

  /** What the records of a batch include; what an image alone includes may be large. */
  async #extrasOf(
    rows: readonly ImageRow[],
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<(image: ImageRow) => IncludedRecords> {
    const [only, ...others] = rows;
    if (!only || others.length > 0) return this.include.of(rows, include, resolveUrl);
    const its = await this.include.ofOne(only, include, resolveUrl, false);
    return () => its;
  }

  /** A short list already includes the rows. */
  async #rows(images: readonly ListedImage[]): Promise<readonly ImageRow[]> {
    const whole = images.filter((image): image is ListedImage & ImageRow => 'text' in image);
    if (whole.length === images.length) return whole;
    return selectImageRows(
      this.db,
      images.map(({ id }) => id),
    );
  }
}

/** Everything that belongs to an image. */
export const includeAll: IncludeOptions = { memos: true, customs: true, history: true };

const sum = (estimates: Iterable<number>): number => {
  let total = 0;
  for (const imageBytes of estimates) total += imageBytes;
  return total;
};

/** Splits a list so that no batch exceeds the limits on count and size. */
export function* splitByBytes<Image extends { readonly id: string }>(
  images: readonly Image[],
  estimates: ReadonlyMap<string, number>,
): Generator<Image[]> {
  let batch: Image[] = [];
  let bytes = 0;
  for (const image of images) {
    const imageBytes = estimates.get(image.id) ?? 0;
    const full = batch.length === imagesAtOnce || bytes + imageBytes > bytesAtOnce;
    if (full && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(image);
    bytes += imageBytes;
  }
  if (batch.length > 0) yield batch;
}

/** Edits of one image read at a time, and the approximate size of each in a response. */
const editsAtOnce = 500;
const editBytes = 700;

/** Memos, customs, and history of images. */
export class ImageIncludes {
  constructor(
    private readonly db: Queryable,
    private readonly records: ImageRecords,
    private readonly annotations: Annotations,
  ) {}

  /**
   * Approximate size in bytes of each image's extras in a response; images without extras are
   * omitted.
   */
  async estimateBytes(
    images: readonly ListedImage[],
    { memos, customs, history }: IncludeOptions,
  ): Promise<Map<string, number>> {
    const ids = images.map(({ id }) => id);
    const estimates = memos || customs ? await this.annotations.estimateBytes(ids) : new Map();
    if (!history) return estimates;
    for (const { id, edits } of images) {
      if (edits > 0) estimates.set(id, (estimates.get(id) ?? 0) + edits * editBytes);
    }
    return estimates;
  }

  /** For images whose extras are small in total, with one query per type of extra. */
  async of(
    images: readonly ImageRow[],
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<(image: ImageRow) => IncludedRecords> {
    const ids = images.map(({ id }) => id);
    const [memos, customs, filedatas] = await Promise.all([
      include.memos ? this.annotations.memosOf(ids) : null,
      include.customs ? this.annotations.customsOf(ids) : null,
      include.history ? this.#historiesOf(ids, resolveUrl, false) : null,
    ]);
    return ({ id }) => ({
      memos: memos && (memos.get(id) ?? []),
      customs: customs && (customs.get(id) ?? []),
      filedatas: filedatas && (filedatas.get(id) ?? []),
    });
  }

  /**
   * For one image with extras of any size; in batches if there are many.
   * @param single whether its record is by itself.
   */
  async ofOne(
    { id, edits }: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
    single: boolean,
  ): Promise<IncludedRecords> {
    const [memos, customs, filedatas] = await Promise.all([
      include.memos ? this.annotations.memosOn(id) : null,
      include.customs ? this.annotations.customsOn(id) : null,
      include.history ? this.#historyOf({ id, edits }, resolveUrl, single) : null,
    ]);
    return { memos, customs, filedatas };
  }

  async #historyOf(
    { id, edits }: Pick<ImageRow, 'id' | 'edits'>,
    resolveUrl: ResolveUrl,
    single: boolean,
  ): Promise<FiledataRecord[] | Batches<FiledataRecord>> {
    if (edits > editsAtOnce) return new Batches(this.#editsOf(id, resolveUrl, single));
    return (await this.#historiesOf([id], resolveUrl, single)).get(id) ?? [];
  }

  async *#editsOf(
    imageId: string,
    resolveUrl: ResolveUrl,
    single: boolean,
  ): AsyncGenerator<FiledataRecord[]> {
    for (let after = 0; ;) {
      const edits = await selectEdits(this.db, [imageId], { after, limit: editsAtOnce });
      yield edits.map((edit) => this.records.filedata(edit, resolveUrl, single));
      const last = edits.at(-1);
      if (!last || edits.length < editsAtOnce) return;
      after = last.version;
    }
  }

  async #historiesOf(
    imageIds: readonly string[],
    resolveUrl: ResolveUrl,
    single: boolean,
  ): Promise<Map<string, FiledataRecord[]>> {
    const histories = new Map<string, FiledataRecord[]>();
    for (const version of await selectEdits(this.db, imageIds)) {
      const records = histories.get(version.imageId) ?? [];
      records.push(this.records.filedata(version, resolveUrl, single));
      histories.set(version.imageId, records);
    }
    return histories;
  }
}
