import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { version } from '../../base/installed-files.js';
import type { WallClock } from '../../base/time.js';
import { inTurn } from '../../database/sql.js';
import type { Scratch, ScratchFile } from '../../http/scratch.js';
import { allFolders } from '../../library/folders/contents.js';
import type { FolderRecord } from '../../library/folders/schemas.js';
import { csvHead, csvLine, tableColumns } from '../../library/images/archive/csv.js';
import type { ImageVersion } from '../../library/images/entity.js';
import { exportedImages } from '../../library/images/export.js';
import type { ImageRecords } from '../../library/images/record.js';
import type { UserRecord } from '../../library/users/schemas.js';
import { objectKey } from '../../store/object-key.js';
import { exportFiles, exportFormat, feature, imageLine, type Manifest } from './format.js';

const tables = ['folders', 'images', 'csv', 'geojson'] as const;
type Table = (typeof tables)[number];

/** A file of an export, in the order in which they are written. */
export type Planned =
  | { readonly table: Table; readonly path: string; readonly start: number; readonly end: number }
  | {
      readonly key: string;
      readonly path: string;
      readonly bytes: number;
      readonly hash: string;
      readonly modified: number;
    }
  | { readonly manifest: Manifest; readonly path: string };

interface PlanParts {
  readonly clock: WallClock;
  readonly scratch: Scratch;
  readonly records: ImageRecords;
}

/**
 * The contents of an export, as of one moment. Records are written to disk within one short
 * transaction; objects, which never change, are read afterward.
 */
export class ExportPlan {
  #files = 0;
  #bytes = 0;

  private constructor(
    private readonly parts: PlanParts,
    private readonly list: ScratchFile,
    private readonly tables: ReadonlyMap<Table, ScratchFile>,
  ) {}

  static async open(parts: PlanParts): Promise<ExportPlan> {
    const files = new Map<Table, ScratchFile>();
    for (const table of tables) files.set(table, await parts.scratch.file());
    return new ExportPlan(parts, await parts.scratch.file(), files);
  }

  /** Pictures, edits included. */
  get files(): number {
    return this.#files;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param folder of the export for this user; empty or with a slash at the end. */
  async addUser(tx: EntityManager, user: UserRecord, folder: string): Promise<void> {
    const starts = new Map(tables.map((table) => [table, this.#table(table).bytes]));
    const [filesBefore, bytesBefore] = [this.#files, this.#bytes];
    const paths = new ExportPaths();
    let folders = 0;
    for await (const batch of allFolders(tx, user.id, this.parts.clock)) {
      for (const one of batch) {
        paths.add(one);
        await this.#add('folders', `${JSON.stringify(one)}\n`);
      }
      folders += batch.length;
    }
    const images = await this.#addImages(tx, user.id, folder, paths);
    for (const table of tables) {
      const [start = 0, end] = [starts.get(table), this.#table(table).bytes];
      await this.#plan({ table, path: folder + exportFiles[table], start, end });
    }
    const manifest: Manifest = {
      format: exportFormat,
      id: randomUUID(),
      made_at: new Date().toISOString(),
      made_by: `imgstore ${version()}`,
      timezone: this.parts.clock.zoneName,
      user: {
        id: user.id,
        platform_id: user.platform_id,
        platform_user_id: user.platform_user_id,
      },
      folders,
      images,
      files: this.#files - filesBefore,
      bytes: this.#bytes - bytesBefore,
    };
    await this.#plan({ manifest, path: folder + exportFiles.manifest });
  }

  /** To be called before reading. */
  async flush(): Promise<void> {
    for (const file of [this.list, ...this.tables.values()]) await file.flush();
  }

  async *planned(): AsyncGenerator<Planned> {
    for await (const line of this.list.lines()) yield JSON.parse(line) as Planned;
  }

  tableBytes(table: Table, start: number, end: number): AsyncGenerator<Buffer> {
    return this.#table(table).read(start, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.list, ...this.tables.values()].map((file) => file.close()));
  }

  /** @returns how many there are. */
  async #addImages(
    tx: EntityManager,
    userId: string,
    folder: string,
    paths: ExportPaths,
  ): Promise<number> {
    const { clock, records } = this.parts;
    let images = 0;
    await this.#add('csv', csvHead(tableColumns));
    await this.#add('geojson', '{"type":"FeatureCollection","features":[');
    let separator = '\n';
    for await (const image of exportedImages(inTurn(tx), records, userId)) {
      const { record, versions } = image;
      const directory = `files/${paths.of(record.folder_id)}`;
      const fileOf = (one: ImageVersion): string =>
        `${directory}${record.created_at}_${record.id}_${one.version}.${one.extension}`;
      const current = versions.at(-1);
      const file = current ? fileOf(current) : '';
      await this.#add('images', `${JSON.stringify(imageLine(image, fileOf, clock))}\n`);
      await this.#add('csv', csvLine(file, record));
      const point = feature(record, file);
      if (point) await this.#add('geojson', separator + JSON.stringify(point));
      if (point) separator = ',\n';
      for (const one of versions) await this.#addFile(one, folder + fileOf(one));
      images += 1;
    }
    await this.#add('geojson', '\n]}\n');
    return images;
  }

  async #addFile(one: ImageVersion, path: string): Promise<void> {
    const { platformId, userId, imageId, id: versionId, extension, bytes } = one;
    const key = objectKey({ platformId, userId, imageId, versionId }, 'original', extension);
    const hash = one.hash.toString('hex');
    await this.#plan({ key, path, bytes, hash, modified: one.createdAt.getTime() });
    this.#files += 1;
    this.#bytes += bytes;
  }

  async #plan(planned: Planned): Promise<void> {
    await this.list.add(Buffer.from(`${JSON.stringify(planned)}\n`));
  }

  async #add(table: Table, text: string): Promise<void> {
    await this.#table(table).add(Buffer.from(text));
  }

  #table(table: Table): ScratchFile {
    const file = this.tables.get(table);
    if (!file) throw new Error(`there is no table ${table}`);
    return file;
  }
}

/** For the name of one directory, in UTF-8: nested paths still fit on every file system. */
const maxNameBytes = 100;

/** For a whole path, in UTF-8; deeper folders are put next to each other. */
const maxPathBytes = 1_000;

/** Names that Windows reserves for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Directories for the folders of a user: their titles, as every file system takes them. */
export class ExportPaths {
  readonly #paths = new Map<string, string>();
  /** In lower case, since some file systems are case-insensitive. */
  readonly #taken = new Set<string>();

  /** Must be called for a parent before its children. */
  add({ id, title, parent_id: parent }: FolderRecord): void {
    const above = parent === null ? undefined : this.#paths.get(parent);
    const name = safeName(title);
    let path = above === undefined ? name : `${above}/${name}`;
    if (Buffer.byteLength(path) > maxPathBytes) path = `deep folders/${id}`;
    const wanted = path;
    for (let n = 2; this.#taken.has(path.toLowerCase()); n += 1) path = `${wanted} (${n})`;
    this.#taken.add(path.toLowerCase());
    this.#paths.set(id, path);
  }

  /** @returns with a slash at the end; empty for the top level. */
  of(folderId: string | null): string {
    const path = folderId === null ? undefined : this.#paths.get(folderId);
    return path === undefined ? '' : `${path}/`;
  }
}

/**
 * A title as the name of a directory, without anything that a file system rejects or takes for a
 * path.
 */
export function safeName(title: string): string {
  let name = title.replaceAll(/[<>:"/\\|?*\p{Cc}\p{Cs}]/gu, '_').normalize('NFC');
  while (Buffer.byteLength(name) > maxNameBytes) name = [...name].slice(0, -1).join('');
  name = name.replace(/[. ]+$/, '').trimStart();
  if (name === '' || name.startsWith('.') || reserved.test(name)) return `_${name}`;
  return name;
}
