import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';
import type { WallClock } from '../../../base/time.js';
import { secondMs } from '../../../base/units.js';
import type { PackedIds } from '../../../database/bulk.js';
import { inTurn, type Queryable, rows } from '../../../database/sql.js';
import { only, selectList, type SelectedRow } from '../../../database/columns.js';
import type { Scratch, ScratchFile } from '../../../http/scratch.js';
import { objectKey } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import { amongIds } from '../images.sql.js';
import { imageColumns } from '../entity.js';
import { fileName, fittingName, withExtension } from '../original-name.js';
import type { IncludeOptions, RecordPages } from '../record-pages.js';
import type { BatchedImageRecord, ResolveUrl } from '../record.js';
import { csvHead, csvLine } from './csv.js';
import { ZipExtent, type ZipEntry } from './zip.js';

export type Objects = Pick<ObjectStore, 'get' | 'stat'>;

/** Identifies the object with the bytes of an entry. */
export interface ArchivedObject {
  readonly versionId: string;
  readonly key: string;
  readonly bytes: number;
  /** Undefined if it is not stored yet. */
  readonly crc32?: number | undefined;
}

/**
 * Unique names of entries; a number is added to a name that is already taken. Case makes no
 * difference, since to some file systems it makes none.
 */
class EntryNames {
  // 48 bits of a hash of each name, since the names of many images would take megabytes. On a
  // collision, a name gets a number needlessly.
  readonly #taken = new Set<number>();

  constructor(...taken: readonly string[]) {
    for (const name of taken) this.#take(name);
  }

  /** A name that has not been given yet; deterministic for the same sequence of names. */
  give(wanted: string): string {
    let name = fittingName(wanted);
    for (let n = 2; !this.#take(name); n += 1) name = fittingName(wanted, ` (${n})`);
    return name;
  }

  /** @returns whether it was free. */
  #take(name: string): boolean {
    const before = this.#taken.size;
    this.#taken.add(createHash('sha1').update(name.toLowerCase()).digest().readUIntBE(0, 6));
    return this.#taken.size > before;
  }
}

/** Rows read at a time. */
const batchSize = 200;

/** What an archive needs of an image besides its record. */
const archivedColumns = only(
  imageColumns,
  'id',
  'platformId',
  'userId',
  'createdAt',
  'takenAt',
  'updatedAt',
  'edits',
  'versionId',
  'filename',
  'originalName',
  'originalExtension',
  'extension',
  'bytes',
  'hash',
);
type ArchivedRow = SelectedRow<typeof archivedColumns>;

interface FoundImage {
  readonly row: ArchivedRow;
  /** The name for its entry. */
  readonly wanted: string;
  /** Undefined if it is not stored yet. */
  readonly checksum: number | undefined;
}

const archivedRow = selectList(archivedColumns, 'i');

const selectArchived = (tx: Queryable, ids: readonly string[]): Promise<ArchivedRow[]> =>
  rows(tx, amongIds(archivedRow), [ids]);

/** Part of every ETag; must be changed when the same images result in different bytes. */
const layout = 'imgstore archive 1';

/** An image in an archive. */
export interface PlannedImage extends ZipEntry, ArchivedObject {}

export interface PlanParts {
  readonly store: Objects;
  readonly clock: WallClock;
  readonly scratch: Scratch;
  /** Records as they are within a transaction. */
  readonly pagesOf: (tx: Queryable) => RecordPages;
}

export interface ArchiveRequest {
  readonly ids: PackedIds;
  readonly include: IncludeOptions;
  readonly resolveUrl: ResolveUrl;
}

/**
 * Everything that determines the bytes of an archive, except for the bytes of the images. The list
 * and the table are on disk, so memory does not grow with the number of images.
 */
export class ArchivePlan {
  readonly extent = new ZipExtent();
  readonly #tag = createHash('sha256').update(layout);
  readonly #names = new EntryNames('images.csv');
  #tableChecksum = 0;
  #newest = 0;

  private constructor(
    private readonly parts: PlanParts,
    private readonly list: ScratchFile,
    private readonly csv: ScratchFile,
  ) {}

  /** @param tx must see a single snapshot. */
  static async make(
    parts: PlanParts,
    tx: EntityManager,
    wanted: ArchiveRequest,
  ): Promise<ArchivePlan> {
    const list = await parts.scratch.file();
    const csv = await parts.scratch.file().catch(async (error: unknown) => {
      await list.close();
      throw error;
    });
    const plan = new ArchivePlan(parts, list, csv);
    try {
      await plan.#fill(tx, wanted);
      return plan;
    } catch (error) {
      await plan.close();
      throw error;
    }
  }

  /** Changes when any byte of the archive changes. */
  get etag(): string {
    return `"${this.#tag.copy().digest('base64url').slice(0, 32)}"`;
  }

  /** The table, which comes after the images. */
  get table(): ZipEntry & { readonly crc32: number } {
    return {
      ...this.#entry('images.csv', this.csv.bytes, this.#newest),
      crc32: this.#tableChecksum,
    };
  }

  async *images(): AsyncGenerator<PlannedImage> {
    for await (const line of this.list.lines()) yield JSON.parse(line) as PlannedImage;
  }

  tableBytes(start: number, end: number): AsyncIterable<Buffer> {
    return this.csv.read(start, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.list.close(), this.csv.close()]);
  }

  async #fill(tx: EntityManager, wanted: ArchiveRequest): Promise<void> {
    const pages = this.parts.pagesOf(inTurn(tx));
    await this.#addToTable(csvHead);
    for (const ids of wanted.ids.slices(batchSize)) {
      const found = await this.#withObjects(tx, await selectArchived(tx, ids));
      const names = new Map<string, string>();
      for (const image of found) names.set(image.row.id, await this.#addImage(image));
      const images = found.map(({ row }) => row);
      const shape = (record: BatchedImageRecord): BatchedImageRecord => record;
      for await (const records of pages.batches(images, { ...wanted, shape })) {
        for (const record of records) {
          const lines = csvLine(names.get(record.id) ?? '', record);
          for await (const text of lines) await this.#addToTable(text);
        }
      }
    }
    this.extent.add(this.table);
    await Promise.all([this.list.flush(), this.csv.flush()]);
  }

  /** Omits images whose object was missing and still is. */
  async #withObjects(tx: Queryable, images: readonly ArchivedRow[]) {
    const current = await selectVersions(
      tx,
      images.map(({ versionId }) => versionId),
    );
    const found: FoundImage[] = [];
    for (const row of images) {
      const { crc32 = null, name = null } = current.get(row.versionId) ?? {};
      const wanted = wantedName(row, name);
      if (crc32 !== missingObject) found.push({ row, wanted, checksum: crc32 ?? undefined });
      else if (await this.parts.store.stat(keyOf(row))) {
        found.push({ row, wanted, checksum: undefined });
      }
    }
    return found;
  }

  /** @returns the name of its entry. */
  async #addImage({ row, wanted, checksum }: FoundImage): Promise<string> {
    const name = this.#names.give(wanted);
    const modified = Math.floor(row.createdAt.getTime() / secondMs);
    const entry = this.#entry(name, row.bytes, modified);
    this.#newest = Math.max(this.#newest, Math.floor(row.updatedAt.getTime() / secondMs));
    this.#tag.update(JSON.stringify([entry, row.hash.toString('base64')]));
    this.extent.add(entry);
    const image: PlannedImage = {
      ...entry,
      versionId: row.versionId,
      key: keyOf(row),
      crc32: checksum,
    };
    await this.list.add(Buffer.from(`${JSON.stringify(image)}\n`));
    return name;
  }

  async #addToTable(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#tag.update(bytes);
    this.#tableChecksum = crc32(bytes, this.#tableChecksum);
    await this.csv.add(bytes);
  }

  #entry(name: string, bytes: number, modified: number): ZipEntry {
    return { name, bytes, modified, wallTime: this.parts.clock.formatSecond(modified) };
  }
}

const keyOf = ({ platformId, userId, id: imageId, versionId, extension }: ArchivedRow): string =>
  objectKey({ platformId, userId, imageId, versionId }, 'original', extension);

/** Stored in place of a CRC-32 for a version whose object was missing. */
export const missingObject = -1;

/** What an archive needs of a version: the stored CRC-32, and the name that its file came with. */
interface CurrentVersion {
  readonly crc32: number | null;
  readonly name: string | null;
}

async function selectVersions(
  db: Queryable,
  versionIds: readonly string[],
): Promise<Map<string, CurrentVersion>> {
  const found = await rows<CurrentVersion & { readonly id: string }>(
    db,
    `SELECT id, crc32::float8 AS crc32, original_name AS name FROM image_versions
     WHERE id = ANY ($1::uuid[])`,
    [versionIds],
  );
  return new Map(found.map((version) => [version.id, version]));
}

/**
 * The name of an image's entry: the original name, of an edit its own or that of the image with its
 * extension; without one, the filename.
 */
function wantedName(row: ArchivedRow, ofVersion: string | null): string {
  const { originalName, originalExtension, extension, edits, filename } = row;
  if (edits > 0 && ofVersion !== null) return fileName(ofVersion);
  if (originalName === null) return filename;
  const isOfFormat = extension === originalExtension;
  return fileName(isOfFormat ? originalName : withExtension(originalName, extension));
}
