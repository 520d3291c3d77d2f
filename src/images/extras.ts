import type { Annotations } from '../annotations/service.js';
import type { Queryable } from '../database/sql.js';
import { Batches } from '../paging/batches.js';
import { selectEdits } from './queries.js';
import type { ImageRow, ListedImage } from './queries.js';
import type { Absolute, Extras, ImageRecords } from './record.js';
import type { FiledataRecord } from './schemas.js';

/** What a response includes besides the images themselves. */
export interface With {
  readonly memos?: boolean;
  readonly customs?: boolean;
  readonly history?: boolean;
}

/** Edits of one image read at a time, and the approximate size of each in a response. */
const editsAtOnce = 500;
const editBytes = 700;

/** Memos, customs, and history of images. */
export class ImageExtras {
  constructor(
    private readonly db: Queryable,
    private readonly records: ImageRecords,
    private readonly annotations: Annotations,
  ) {}

  /**
   * Approximate size in bytes of each image's extras in a response; images without extras are
   * omitted.
   */
  async weights(
    images: readonly ListedImage[],
    { memos, customs, history }: With,
  ): Promise<Map<string, number>> {
    const ids = images.map(({ id }) => id);
    const weights = memos || customs ? await this.annotations.weightsOf(ids) : new Map();
    if (!history) return weights;
    for (const { id, edits } of images) {
      if (edits > 0) weights.set(id, (weights.get(id) ?? 0) + edits * editBytes);
    }
    return weights;
  }

  /** For images whose extras are small in total, with one query per kind. */
  async of(
    images: readonly ImageRow[],
    extras: With,
    absolute: Absolute,
  ): Promise<(image: ImageRow) => Extras> {
    const ids = images.map(({ id }) => id);
    const [memos, customs, filedatas] = await Promise.all([
      extras.memos ? this.annotations.memosOf(ids) : null,
      extras.customs ? this.annotations.customsOf(ids) : null,
      extras.history ? this.#historiesOf(ids, absolute) : null,
    ]);
    return ({ id }) => ({
      memos: memos && (memos.get(id) ?? []),
      customs: customs && (customs.get(id) ?? []),
      filedatas: filedatas && (filedatas.get(id) ?? []),
    });
  }

  /** For one image, however large its extras are; in batches if there are many of a kind. */
  async ofOne({ id, edits }: ImageRow, extras: With, absolute: Absolute): Promise<Extras> {
    const [memos, customs, filedatas] = await Promise.all([
      extras.memos ? this.annotations.memosOn(id) : null,
      extras.customs ? this.annotations.customsOn(id) : null,
      extras.history ? this.#historyOf(id, edits, absolute) : null,
    ]);
    return { memos, customs, filedatas };
  }

  async #historyOf(
    imageId: string,
    edits: number,
    absolute: Absolute,
  ): Promise<FiledataRecord[] | Batches<FiledataRecord>> {
    if (edits > editsAtOnce) return new Batches(this.#editsOf(imageId, absolute));
    return (await this.#historiesOf([imageId], absolute)).get(imageId) ?? [];
  }

  async *#editsOf(imageId: string, absolute: Absolute): AsyncGenerator<FiledataRecord[]> {
    for (let after = 0; ;) {
      const edits = await selectEdits(this.db, [imageId], { after, limit: editsAtOnce });
      yield edits.map((edit) => this.records.filedata(edit, absolute));
      const last = edits.at(-1);
      if (!last || edits.length < editsAtOnce) return;
      after = last.version;
    }
  }

  async #historiesOf(
    imageIds: readonly string[],
    absolute: Absolute,
  ): Promise<Map<string, FiledataRecord[]>> {
    const histories = new Map<string, FiledataRecord[]>();
    for (const version of await selectEdits(this.db, imageIds)) {
      const records = histories.get(version.imageId) ?? [];
      records.push(this.records.filedata(version, absolute));
      histories.set(version.imageId, records);
    }
    return histories;
  }
}
