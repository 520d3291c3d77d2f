import type { Queryable } from '../../database/sql.js';
import { Batches } from '../../http/paging/batches.js';
import type { ImageIncludes, IncludeOptions } from './includes.js';
import { fewImages, selectImageRows } from './images.sql.js';
import type { ImageRow, ListedImage } from './images.sql.js';
import type { ResolveUrl, BatchedImageRecord, ImageRecords } from './record.js';
import { bytesPerMegabyte } from '../../base/units.js';

/** Images whose rows are held in memory at a time in a large response. */
const imagesAtOnce = 50;
/** Bytes of extras held in memory at a time, unless a single image has more. */
const bytesAtOnce = bytesPerMegabyte;

/** How to convert images to records. */
export interface RecordOptions<Image, Item> {
  readonly include: IncludeOptions;
  readonly resolveUrl: ResolveUrl;
  /** Converts an image for the response. */
  readonly shape: (record: BatchedImageRecord, image: Image) => Item;
}

/**
 * Pages of images as records. A small page is an array, read at once. A page that may be large is
 * read in batches while it is sent, sized by estimates for each image, so that rows and extras in
 * memory stay within a few megabytes. Images deleted in the meantime are omitted.
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
    return this.records.image(row, await this.include.ofOne(row, include, resolveUrl), resolveUrl);
  }

  /** Always in batches. */
  async *batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: RecordOptions<Image, Item>,
  ): AsyncGenerator<Item[]> {
    yield* this.#batches(images, await this.include.estimateBytes(images, wanted.include), wanted);
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
    const [only, ...others] = rows;
    const extrasOf =
      only && others.length === 0
        ? await this.include.ofOne(only, include, resolveUrl).then((its) => () => its)
        : await this.include.of(rows, include, resolveUrl);
    const listed = new Map(images.map((image) => [image.id, image]));
    return rows.flatMap((row) => {
      const image = listed.get(row.id);
      return image ? [shape(this.records.image(row, extrasOf(row), resolveUrl), image)] : [];
    });
  }

  /** A short list already includes the rows. */
  async #rows(images: readonly ListedImage[]): Promise<readonly ImageRow[]> {
    const whole = images.filter((image): image is ListedImage & ImageRow => 'filename' in image);
    if (whole.length === images.length) return whole;
    return selectImageRows(
      this.db,
      images.map(({ id }) => id),
    );
  }
}

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
