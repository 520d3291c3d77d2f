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
import { objectKey } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import { imageColumns } from '../entity.js';
import { amongIds } from '../images.sql.js';
import { imagesAtOnce, selectRecords, type RecordTexts } from '../page.sql.js';
import type { IncludeOptions } from '../record-fields.js';
import type { ImageRecords, ResolveUrl } from '../record.js';
import { tableOf } from './csv.js';
import { EntryNames, wantedName } from './names.js';
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
  /** The name that the file of the current version came with. */
  readonly versionName: string | null;
};

const archived = `${selectList(archivedColumns, 'i')}, v.original_name AS "versionName"`;

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
  readonly include: IncludeOptions;
  readonly resolveUrl: ResolveUrl;
}

/** Images as a ZIP: the current version of each as uploaded, and their records as a table. */
export class Archives {
  constructor(private readonly parts: ArchiveParts) {}

  /** The images are read one at a time, while the archive is sent. */
  async of(contentsIn: (tx: EntityManager) => Promise<ArchiveContents>): Promise<StreamedResponse> {
    const { scratch, clock } = this.parts;
    const table = await scratch.file();
    try {
      const zip = new Zip();
      await scratch.longRead(() =>
        this.parts.db.transaction('REPEATABLE READ', async (tx) =>
          this.#fill(zip, table, tx, await contentsIn(tx)),
        ),
      );
      const bytes = zip.end();
      const headers = {
        'Content-Disposition': `attachment; filename="images_${clock.format(new Date())}.zip"`,
        'Content-Length': String(bytes),
        'Cache-Control': 'private, no-store',
      };
      const ms = graceMs + (bytes / slowestRate) * secondMs;
      const send = (destination: Writable, signal: AbortSignal): Promise<void> =>
        withDeadline(signal, ms, (until) => zip.send(destination, until));
      return new StreamedResponse(headers, send, undefined, () => table.close());
    } catch (error) {
      await table.close();
      throw error;
    }
  }

  async #fill(
    zip: Zip,
    table: ScratchFile,
    tx: EntityManager,
    { ids, ...wanted }: ArchiveContents,
  ): Promise<void> {
    if (ids.length > maxArchived) {
      const message = `An archive can have at most ${maxArchived} images; ask for fewer.`;
      throw new ServiceError('too_many_images', { message, details: { max: maxArchived } });
    }
    const files = new Map<string, string>();
    const pages = this.#pages(zip, { ids, include: wanted.include }, { tx, table, files });
    const frame = tableOf((id) => files.get(id) ?? '');
    for await (const bytes of this.parts.records.all(pages, wanted, frame)) await table.add(bytes);
    await table.flush();
    const open = async (): Promise<Readable> => Readable.from(table.read(), { objectMode: false });
    zip.add({ name: tableName, bytes: table.bytes, modified: new Date(), open });
  }

  /** Adds the images, and reads them for the table. @param files names of the last ones. */
  async *#pages(
    zip: Zip,
    { ids, include }: Pick<ArchiveContents, 'ids' | 'include'>,
    { tx, table, files }: { tx: EntityManager; table: ScratchFile; files: Map<string, string> },
  ): AsyncGenerator<RecordTexts> {
    const names = new EntryNames(tableName);
    for (let n = 0; n < ids.length; n += imagesAtOnce) {
      const images = await selectArchived(tx, ids.slice(n, n + imagesAtOnce));
      const there = await this.#inStore(images);
      await table.hold(there.size * entryMemory);
      files.clear();
      for (const image of images) {
        if (!there.has(image.id)) continue;
        const name = names.give(wantedName(image));
        const { bytes, createdAt: modified } = image;
        files.set(image.id, name);
        zip.add({ name, bytes, modified, open: () => this.#open(keyOf(image)) });
      }
      yield selectRecords(
        inTurn(tx),
        images.map(({ id }) => id),
        include,
      );
    }
  }

  /** Ids of the images whose objects are whole; the others are in the table alone. */
  async #inStore(images: readonly ArchivedImage[]): Promise<Set<string>> {
    const there = new Set<string>();
    await forEachLimited(images, lookupsAtOnce, async (image) => {
      const found = await this.parts.store.stat(keyOf(image));
      if (found?.bytes === image.bytes) there.add(image.id);
    });
    return there;
  }

  async #open(key: string): Promise<Readable> {
    const found = await this.parts.store.get(key);
    if (!found) throw unavailable('An image of the archive', new Error(`no object ${key}`));
    return found.stream;
  }
}

const keyOf = ({ platformId, userId, id: imageId, versionId, extension }: ArchivedImage): string =>
  objectKey({ platformId, userId, imageId, versionId }, 'original', extension);
