import type { Annotations } from '../annotations/service.js';
import type { Queryable } from '../../database/sql.js';
import { Batches } from '../../http/paging/batches.js';
import { selectEdits } from './images.sql.js';
import type { ImageRow, ListedImage } from './images.sql.js';
import type { ResolveUrl, IncludedRecords, ImageRecords } from './record.js';
import type { FiledataRecord } from './schemas.js';

/** What a response includes in addition to the images. */
export interface IncludeOptions {
  readonly memos?: boolean;
  readonly customs?: boolean;
  readonly history?: boolean;
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
      include.history ? this.#historiesOf(ids, resolveUrl) : null,
    ]);
    return ({ id }) => ({
      memos: memos && (memos.get(id) ?? []),
      customs: customs && (customs.get(id) ?? []),
      filedatas: filedatas && (filedatas.get(id) ?? []),
    });
  }

  /** For one image with extras of any size; in batches if there are many. */
  async ofOne(
    { id, edits }: ImageRow,
    include: IncludeOptions,
    resolveUrl: ResolveUrl,
  ): Promise<IncludedRecords> {
    const [memos, customs, filedatas] = await Promise.all([
      include.memos ? this.annotations.memosOn(id) : null,
      include.customs ? this.annotations.customsOn(id) : null,
      include.history ? this.#historyOf(id, edits, resolveUrl) : null,
    ]);
    return { memos, customs, filedatas };
  }

  async #historyOf(
    imageId: string,
    edits: number,
    resolveUrl: ResolveUrl,
  ): Promise<FiledataRecord[] | Batches<FiledataRecord>> {
    if (edits > editsAtOnce) return new Batches(this.#editsOf(imageId, resolveUrl));
    return (await this.#historiesOf([imageId], resolveUrl)).get(imageId) ?? [];
  }

  async *#editsOf(imageId: string, resolveUrl: ResolveUrl): AsyncGenerator<FiledataRecord[]> {
    for (let after = 0; ;) {
      const edits = await selectEdits(this.db, [imageId], { after, limit: editsAtOnce });
      yield edits.map((edit) => this.records.filedata(edit, resolveUrl));
      const last = edits.at(-1);
      if (!last || edits.length < editsAtOnce) return;
      after = last.version;
    }
  }

  async #historiesOf(
    imageIds: readonly string[],
    resolveUrl: ResolveUrl,
  ): Promise<Map<string, FiledataRecord[]>> {
    const histories = new Map<string, FiledataRecord[]>();
    for (const version of await selectEdits(this.db, imageIds)) {
      const records = histories.get(version.imageId) ?? [];
      records.push(this.records.filedata(version, resolveUrl));
      histories.set(version.imageId, records);
    }
    return histories;
  }
}
