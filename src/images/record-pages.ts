import type { Queryable } from '../database/sql.js';
import { Batches } from '../paging/batches.js';
import type { ImageExtras, With } from './extras.js';
import { fewImages, selectWhole } from './queries.js';
import type { ImageRow, ListedImage } from './queries.js';
import type { Absolute, ImageAnswer, ImageRecords } from './record.js';
import { bytesPerMegabyte } from '../units.js';

/** Images whose rows are held at a time in a large response. */
const imagesAtOnce = 50;
/** Bytes of extras held at a time, unless a single image has more. */
const bytesAtOnce = bytesPerMegabyte;

/** How images are to be rendered. */
export interface Wanted<Image, Item> {
  readonly extras: With;
  readonly absolute: Absolute;
  /** Converts an image for the response. */
  readonly shape: (record: ImageAnswer, image: Image) => Item;
}

/**
 * Pages of images as records. A small page is an array, read at once. A page that may be large is
 * read in batches while it is sent, sized by what is known of each image: rows and extras in memory
 * stay within a few megabytes. Images deleted in the meantime are omitted.
 */
export class RecordPages {
  constructor(
    private readonly db: Queryable,
    private readonly records: ImageRecords,
    private readonly extras: ImageExtras,
  ) {}

  async page<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: Wanted<Image, Item>,
  ): Promise<Item[] | Batches<Item>> {
    // The extras of a single image are read without checking their size first: they are bounded
    // anyway.
    const weights =
      images.length > 1 ? await this.extras.weights(images, wanted.extras) : new Map();
    const small = images.length <= fewImages && sum(weights.values()) <= bytesAtOnce;
    return small
      ? this.#items(images, wanted)
      : new Batches(this.#batches(images, weights, wanted));
  }

  /** One image, whose extras come in batches if there are many. */
  async one(row: ImageRow, extras: With, absolute: Absolute): Promise<ImageAnswer> {
    return this.records.image(row, await this.extras.ofOne(row, extras, absolute), absolute);
  }

  /** Always in batches. */
  async *batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    wanted: Wanted<Image, Item>,
  ): AsyncGenerator<Item[]> {
    yield* this.#batches(images, await this.extras.weights(images, wanted.extras), wanted);
  }

  async *#batches<Image extends ListedImage, Item>(
    images: readonly Image[],
    weights: ReadonlyMap<string, number>,
    wanted: Wanted<Image, Item>,
  ): AsyncGenerator<Item[]> {
    for (const batch of byWeight(images, weights)) yield this.#items(batch, wanted);
  }

  async #items<Image extends ListedImage, Item>(
    images: readonly Image[],
    { extras, absolute, shape }: Wanted<Image, Item>,
  ): Promise<Item[]> {
    const rows = await this.#rows(images);
    const [only, ...others] = rows;
    const extrasOf =
      only && others.length === 0
        ? await this.extras.ofOne(only, extras, absolute).then((its) => () => its)
        : await this.extras.of(rows, extras, absolute);
    const listed = new Map(images.map((image) => [image.id, image]));
    return rows.flatMap((row) => {
      const image = listed.get(row.id);
      return image ? [shape(this.records.image(row, extrasOf(row), absolute), image)] : [];
    });
  }

  /** A short list already includes the rows. */
  async #rows(images: readonly ListedImage[]): Promise<readonly ImageRow[]> {
    const whole = images.filter((image): image is ListedImage & ImageRow => 'filename' in image);
    if (whole.length === images.length) return whole;
    return selectWhole(
      this.db,
      images.map(({ id }) => id),
    );
  }
}

const sum = (weights: Iterable<number>): number => {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
};

/** Splits a list so that no batch exceeds the limits on count and size. */
export function* byWeight<Image extends { readonly id: string }>(
  images: readonly Image[],
  weights: ReadonlyMap<string, number>,
): Generator<Image[]> {
  let batch: Image[] = [];
  let bytes = 0;
  for (const image of images) {
    const weight = weights.get(image.id) ?? 0;
    const full = batch.length === imagesAtOnce || bytes + weight > bytesAtOnce;
    if (full && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(image);
    bytes += weight;
  }
  if (batch.length > 0) yield batch;
}
