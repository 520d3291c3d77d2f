import { Readable, type Writable } from 'node:stream';
import type { DataSource, EntityManager } from 'typeorm';
import { forEachLimited, withDeadline } from '../../../base/concurrency.js';
import { ServiceError, unavailable } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { minuteMs, secondMs } from '../../../base/units.js';
import { only, selectList, type SelectedRow } from '../../../database/columns.js';
import { inTurn, type Queryable, rows } from '../../../database/sql.js';
import type { Scratch, ScratchFile } from '../../../http/scratch.js';
import { StreamedResponse } from '../../../http/streamed-response.js';
import { objectKey, type VersionId } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import { imageColumns } from '../entity.js';
import { amongIds } from '../images.sql.js';
import { selectMatchingIds } from '../list/list.sql.js';
import type { Filter } from '../list/schemas.js';
import { imagesAtOnce, selectRecords, type RecordTexts } from '../page.sql.js';
import type { ImageFieldName, IncludeOptions } from '../record-fields.js';
import type { ImageRecords, ResolveUrl } from '../record.js';
import { tableOf } from './csv.js';
import { EntryFolders, EntryNames, wantedName } from './names.js';
import { entryMemory, Zip } from './zip.js';

/** Objects looked up at a time. */
const lookupsAtOnce = 16;

/** A download may take this long, and as long as this rate takes for its bytes. */
const graceMs = 30 * minuteMs;
const slowestRate = 64 * 1024;

/** Images that an archive contains at most: what it knows of them is in memory until it has been sent. */
export const maxArchived = 10_000;

const tableName = 'images.csv';

/** What an archive needs of an image besides its record. */
const archivedColumns = only(
  imageColumns,
  'id',
  'platformId',
  'userId',
  'folderId',
  'createdAt',
  'takenAt',
  'edits',
  'versionId',
  'filename',
  'originalName',
  'originalExtension',
  'extension',
  'bytes',
);

export type ArchivedImage = SelectedRow<typeof archivedColumns> & {
  /** Of the current version: the name that its file came with, and of its whole picture if made. */
  readonly versionName: string | null;
  readonly fullExtension: string | null;
};

const archived = `${selectList(archivedColumns, 'i')}, v.original_name AS "versionName",
  v.full_extension AS "fullExtension"`;

const selectArchived = (tx: Queryable, ids: readonly string[]): Promise<ArchivedImage[]> =>
  rows(tx, amongIds(archived, 'JOIN image_versions v ON v.id = i.version_id'), [ids]);

export interface ArchiveParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'get' | 'stat'>;
  readonly clock: WallClock;
  readonly scratch: Scratch;
  readonly records: ImageRecords;
}

/** What an archive contains. */
export interface ArchiveContents {
  /** One more than may be tell that there are more. */
  readonly ids: readonly string[];
  /** Folders below this one (null: the top level) are folders of the archive; undefined: it has none. */
  readonly root?: string | null;
  /** What the table has, by default all that there is; undefined: there is no table. */
  readonly records?: {
    readonly include: IncludeOptions;
    readonly resolveUrl: ResolveUrl;
    readonly columns?: readonly ImageFieldName[];
  };
  /** The file of an image, if it is not that of the current version as uploaded. */
  readonly fileOf?: (image: ArchivedImage) => ArchivedFile | undefined;
}

/** A file of an archive. */
export interface ArchivedFile {
  readonly key: string;
  /** What its entry should be called. */
  readonly name: string;
  /** Undefined if that is for the store to say. */
  readonly bytes?: number;
}

type StoredFile = Required<ArchivedFile>;

export type Contents = (tx: EntityManager) => Promise<ArchiveContents>;

/** An archive that has not been sent yet. */
interface MadeArchive {
  readonly zip: Zip;
  readonly bytes: number;
  /** Of images. */
  readonly count: number;
  readonly close: () => Promise<void>;
}

/** Images as a ZIP: the current version of each as uploaded, and their records as a table. */
export class Archives {
  constructor(private readonly parts: ArchiveParts) {}

  /** The images are read one at a time, while the archive is sent. */
  async of(contentsIn: Contents): Promise<StreamedResponse> {
    const { zip, bytes, close } = await this.#make(contentsIn);
    const headers = {
      'Content-Disposition': `attachment; filename="images_${this.parts.clock.format(new Date())}.zip"`,
      'Content-Length': String(bytes),
      'Cache-Control': 'private, no-store',
    };
    const ms = graceMs + (bytes / slowestRate) * secondMs;
    const send = (destination: Writable, signal: AbortSignal): Promise<void> =>
      withDeadline(signal, ms, (until) => zip.send(destination, until));
    return new StreamedResponse(headers, send, undefined, close);
  }

  /** All images of a list, without folders. */
  ofList(
    userId: string,
    filter: Filter,
    records: NonNullable<ArchiveContents['records']>,
  ): Promise<StreamedResponse> {
    return this.of(async (tx) => {
      const ids = await selectMatchingIds(tx, userId, filter, maxArchived + 1);
      return { ids, records };
    });
  }

  /** What `of` would send now. */
  async measure(contentsIn: Contents): Promise<{ count: number; bytes: number }> {
    const { count, bytes, close } = await this.#make(contentsIn);
    await close();
    return { count, bytes };
  }

  async #make(contentsIn: Contents): Promise<MadeArchive> {
    const { scratch, db } = this.parts;
    const table = await scratch.file();
    const close = (): Promise<void> => table.close();
    try {
      const zip = new Zip();
      const count = await scratch.longRead(() =>
        db.transaction('REPEATABLE READ', async (tx) =>
          this.#fill(zip, table, tx, await contentsIn(tx)),
        ),
      );
      return { zip, bytes: zip.end(), count, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** @returns the number of images in the ZIP. */
  async #fill(
    zip: Zip,
    table: ScratchFile,
    tx: EntityManager,
    { ids, root, records, fileOf = originalOf }: ArchiveContents,
  ): Promise<number> {
    if (ids.length > maxArchived) {
      const message = `An archive can have at most ${maxArchived} images; ask for fewer.`;
      throw new ServiceError('too_many_images', { message, details: { max: maxArchived } });
    }
    const names = new EntryNames(...(records ? [tableName] : []));
    const folders = root === undefined ? undefined : new EntryFolders(names, root);
    const files = new Map<string, string>();
    let count = 0;
    const addImages = async (images: readonly ArchivedImage[]): Promise<void> => {
      await folders?.read(tx, images);
      const stored = await this.#stored(images, fileOf);
      await table.hold(stored.size * entryMemory);
      files.clear();
      for (const { id, folderId, createdAt: modified } of images) {
        const file = stored.get(id);
        if (!file) continue;
        const { key, bytes } = file;
        const name = names.give(file.name, folders?.pathOf(folderId));
        files.set(id, name);
        zip.add({ name, bytes, modified, open: () => this.#open(key) });
      }
      count += files.size;
    };
    const slices = async function* (): AsyncGenerator<readonly string[]> {
      for (let n = 0; n < ids.length; n += imagesAtOnce) {
        const slice = ids.slice(n, n + imagesAtOnce);
        await addImages(await selectArchived(tx, slice));
        yield slice;
      }
    };
    if (!records) {
      for await (const slice of slices()) void slice;
      return count;
    }
    const { include, columns } = records;
    const pages = async function* (): AsyncGenerator<RecordTexts> {
      for await (const slice of slices()) yield selectRecords(inTurn(tx), slice, include);
    };
    const frame = tableOf((id) => files.get(id) ?? '', columns);
    for await (const bytes of this.parts.records.all(pages(), records, frame)) {
      await table.add(bytes);
    }
    await table.flush();
    const open = async (): Promise<Readable> => Readable.from(table.read(), { objectMode: false });
    zip.add({ name: tableName, bytes: table.bytes, modified: new Date(), open });
    return count;
  }

  /** The files of images that the store has, whole; the other images are in the table alone. */
  async #stored(
    images: readonly ArchivedImage[],
    fileOf: (image: ArchivedImage) => ArchivedFile | undefined,
  ): Promise<Map<string, StoredFile>> {
    const stored = new Map<string, StoredFile>();
    await forEachLimited(images, lookupsAtOnce, async (image) => {
      const file = fileOf(image);
      const found = file && (await this.parts.store.stat(file.key));
      if (!found || (file.bytes ?? found.bytes) !== found.bytes) return;
      stored.set(image.id, { ...file, bytes: found.bytes });
    });
    return stored;
  }

  async #open(key: string): Promise<Readable> {
    const found = await this.parts.store.get(key);
    if (!found) throw unavailable('An image of the archive', new Error(`no object ${key}`));
    return found.stream;
  }
}

/** The current version of an image as uploaded. */
const originalOf = (image: ArchivedImage): ArchivedFile => ({
  key: objectKey(versionOf(image), 'original', image.extension),
  name: wantedName(image),
  bytes: image.bytes,
});

export const versionOf = ({ platformId, userId, id, versionId }: ArchivedImage): VersionId => ({
  platformId,
  userId,
  imageId: id,
  versionId,
});
