import type { Queryable } from '../database/sql.js';
import { Batches } from '../paging/batches.js';
import type { ImageExtras, With } from './extras.js';
import { fewImages, selectWhole } from './queries.js';
import type { ImageRow, ListedImage } from './queries.js';
import type { Absolute, ImageAnswer, ImageRecords } from './record.js';
import { bytesPerMegabyte } from '../units.js';

/** Images whose rows are held at a time in a large answer. */
const imagesAtOnce = 50;
/** Bytes of extras that are held at a time, unless one image alone has more. */
const bytesAtOnce = bytesPerMegabyte;

/** How images are to be answered. */
export interface Wanted<Image, Item> {
  readonly extras: With;
  readonly absolute: Absolute;
  /** What becomes of an image in the answer. */
  readonly shape: (record: ImageAnswer, image: Image) => Item;
}

/**
 * Pages of images as records. A small page is an array, read at once; what may be large is read in
 * batches while it is sent, by its ids and by what is known of its size: rows and extras that are in
 * memory stay within a few megabytes. What is deleted by then is left out.
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
    // What one image has is asked for without a look before: it is bounded by itself.
    const weights =
      images.length > 1 ? await this.extras.weights(images, wanted.extras) : new Map();
    const small = images.length <= fewImages && sum(weights.values()) <= bytesAtOnce;
    return small
      ? this.#items(images, wanted)
      : new Batches(this.#batches(images, weights, wanted));
  }

  /** One image, whose extras come in batches where they are many. */
  async one(row: ImageRow, extras: With, absolute: Absolute): Promise<ImageAnswer> {
    return this.records.image(row, await this.extras.ofOne(row, extras, absolute), absolute);
  }

  /** In any case in batches. */
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

  /** Of a short list the rows are there already. */
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

/** Cuts a list so that no batch is longer, nor heavier, than may be held at a time. */
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
