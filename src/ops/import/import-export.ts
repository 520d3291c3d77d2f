import { createHash } from 'node:crypto';
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { resolve, sep, dirname } from 'node:path';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { WallClock } from '../../base/time.js';
import {
  foldersOf,
  imagesOf,
  type FolderLine,
  type ImageLine,
  type ReadManifest,
  type VersionFile,
} from './exported.js';
import { ImportMeter, type ImportProgress, type Outcomes } from './outcomes.js';
import { ChangedFileError, UploadRefusal, type ServiceClient } from './service-client.js';

/** Images whose lines are held at a time. */
const groupSize = 50;

export interface ExportImportParts {
  readonly root: string;
  readonly manifest: ReadManifest;
  readonly client: ServiceClient;
  readonly userId: string;
  readonly restored: RestoredIds;
  readonly clock: WallClock;
  readonly outcomes: Outcomes;
  readonly parallel: number;
  readonly signal: AbortSignal;
  readonly report: (progress: ImportProgress) => void;
}

/** The part of a record that is compared with the export. */
interface Uploaded {
  readonly id: string;
  readonly lat: number | null;
}

/**
 * Imports an export: folders, images with all their versions, memos, customs, and coordinates, and
 * the trash. Each request has an idempotency key, so that an interrupted one takes effect only
 * once.
 */
export class ExportImport {
  readonly #path: string;
  readonly #zone: WallClock;
  readonly #folders = new Map<string, FolderLine>();
  readonly #meter: ImportMeter;
  #created = 0;

  constructor(private readonly parts: ExportImportParts) {
    this.#path = `/api/v1/users/${parts.userId}`;
    this.#zone = new WallClock(parts.manifest.timezone);
    this.#meter = new ImportMeter(parts.report);
    this.#meter.of = parts.manifest.images;
  }

  get foldersCreated(): number {
    return this.#created;
  }

  async run(): Promise<ImportProgress> {
    const { root, parallel, signal } = this.parts;
    for await (const folder of foldersOf(root)) await this.#restoreFolder(folder);
    for await (const group of inGroups(imagesOf(root), groupSize)) {
      await forEachLimited(group, parallel, (image) => this.#restore(image));
    }
    signal.throwIfAborted();
    // The contents of a folder go to the trash before the folder.
    for (const folder of [...this.#folders.values()].reverse()) await this.#trashFolder(folder);
    return this.#meter.now;
  }

  /** Folders of the trash get their titles there, where titles need not be unique. */
  async #restoreFolder(folder: FolderLine): Promise<void> {
    this.#folders.set(folder.id, folder);
    if (this.parts.restored.get('folder', folder.id) !== undefined) return;
    const parent = this.#now('folder', folder.parent_id);
    const title = this.#isTrashedByItself(folder) ? temporaryTitle(folder) : folder.title;
    const fields = { title, ...(parent !== undefined && { parent_id: parent }) };
    const { id } = await this.#send<{ id: string }>('POST', '/folders', fields, folder.id);
    await this.parts.restored.note('folder', folder.id, id);
    this.#created += 1;
  }

  async #trashFolder(folder: FolderLine): Promise<void> {
    const id = this.#now('folder', folder.id);
    if (id === undefined || !this.#isTrashedByItself(folder)) return;
    if (this.parts.restored.get('trashed', folder.id) !== undefined) return;
    const path = `/folders/${id}`;
    await this.#send('PUT', `${path}?delete=true`, {}, `${folder.id}-trash`);
    await this.#send('PUT', path, { title: folder.title }, `${folder.id}-title`);
    await this.parts.restored.note('trashed', folder.id, id);
  }

  /** Whether the folder was deleted itself, rather than with its parent. */
  #isTrashedByItself({ parent_id: parent, delete_at: at }: FolderLine): boolean {
    return at !== null && (parent === null || this.#folders.get(parent)?.delete_at !== at);
  }

  async #restore(image: ImageLine): Promise<void> {
    const { restored, outcomes, signal } = this.parts;
    signal.throwIfAborted();
    const path = image.versions[0]?.file ?? '';
    const known = restored.get('image', image.id);
    if (known !== undefined) await outcomes.note({ path, outcome: 'present', image_id: known });
    else {
      try {
        const image_id = await this.#restoreImage(image);
        await restored.note('image', image.id, image_id);
        await outcomes.note({ path, outcome: 'imported', image_id });
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        await outcomes.note({ path, outcome: 'refused', ...refusal });
      }
    }
    this.#meter.fileDone();
  }

  /** @returns its new id. @throws Refusal, ChangedFileError. */
  async #restoreImage(image: ImageLine): Promise<string> {
    const [first, ...edits] = image.versions;
    if (!first) throw new Error('an image without a version');
    const { id, lat } = await this.#sendFile<Uploaded>('/images', first, image.id, {
      ...this.#fieldsOf(image),
    });
    const path = `/images/${id}`;
    for (const edit of edits) {
      const name = { original_name: edit.original_name ?? '' };
      await this.#sendFile(`${path}/filedata`, edit, `${image.id}-${edit.version}`, name);
    }
    for (const { id: memo, message, is_client } of image.memos ?? []) {
      await this.#send('POST', `${path}/memos`, { message, is_client }, memo);
    }
    for (const { id: custom, key, value } of image.customs ?? []) {
      await this.#send('POST', `${path}/customs`, { key, value }, custom);
    }
    const changes = {
      ...(image.is_shared && { is_shared: true }),
      // The coordinates in the file had been removed from the image.
      ...(image.lat === null && lat !== null && { latitude: '', longitude: '' }),
      ...(this.#isImageTrashedByItself(image) && { delete: true }),
    };
    if (Object.keys(changes).length > 0) {
      await this.#send('PUT', path, changes, `${image.id}-changes`);
    }
    return id;
  }

  #isImageTrashedByItself({ folder_id: folder, delete_at: at }: ImageLine): boolean {
    return at !== null && (folder === null || this.#folders.get(folder)?.delete_at !== at);
  }

  #fieldsOf(image: ImageLine): Record<string, unknown> {
    const { address_road, address_land, address_land_number } = image;
    const { building_name, address_sort, address_det, lat, lng } = image;
    const time = this.#zone.parse(image.created_at);
    const fields = {
      address_road,
      address_land,
      address_land_number,
      building_name,
      address_sort,
      address_det,
      folder_id: this.#now('folder', image.folder_id),
      created_at: time && this.parts.clock.format(time),
      latitude: lat,
      longitude: lng,
      has_det: image.has_det,
      is_signed: image.is_signed,
      upload_type: image.upload_type,
    };
    return Object.fromEntries(
      [...Object.entries(fields), ...Object.entries(toldOf(image))].filter(
        ([, value]) => value !== null && value !== undefined,
      ),
    );
  }

  #now(kind: Kind, before: string | null): string | undefined {
    return before === null ? undefined : this.parts.restored.get(kind, before);
  }

  async #sendFile<Result>(
    path: string,
    { file, hash, bytes }: VersionFile,
    what: string,
    fields: Record<string, unknown>,
  ): Promise<Result> {
    const at = resolve(this.parts.root, file);
    if (!at.startsWith(this.parts.root + sep)) {
      throw new UploadRefusal('outside', `${file} is not within the export.`);
    }
    const { result } = await this.parts.client.call<Result>({
      method: 'POST',
      path: this.#path + path,
      fields: { ...fields, image_hash: hash },
      file: { path: at, bytes },
      idempotencyKey: this.#key(what),
    });
    this.#meter.bytes += bytes;
    this.#meter.uploaded += bytes;
    return result;
  }

  async #send<Result>(
    method: 'POST' | 'PUT',
    path: string,
    fields: Record<string, unknown>,
    what: string,
  ): Promise<Result> {
    const request = { method, path: this.#path + path, fields, idempotencyKey: this.#key(what) };
    return (await this.parts.client.call<Result>(request)).result;
  }

  /** The same in every run, for the same thing. @param what unique within the export. */
  #key(what: string): string {
    const { manifest, userId } = this.parts;
    const key = createHash('sha256').update(`${manifest.id} ${userId} ${what}`).digest('hex');
    return `import-${key}`;
  }
}

/** What is empty must not come from the file, nor the name from the path in the export. */
function toldOf({ original_name, direction, altitude_m, accuracy_m, camera }: ImageLine) {
  const fields = { original_name, direction, altitude_m, accuracy_m, camera };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === null ? '' : value]),
  );
}

/** A title that no other folder has. */
const temporaryTitle = ({ id, title }: FolderLine): string =>
  `${[...title].slice(0, 200).join('')} ${id}`;

function refusalOf(error: unknown): { reason: string; message: string } | undefined {
  if (error instanceof UploadRefusal) return { reason: error.code, message: error.message };
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  if (error instanceof ChangedFileError || missing) {
    return { reason: 'missing', message: 'The file is missing from the export, or shorter.' };
  }
  return undefined;
}

/** What an id of an export stands for. */
type Kind = 'folder' | 'image' | 'trashed';

/**
 * Maps ids of an export to those of the imported records, in an append-only file, so that an
 * interrupted import resumes where it stopped.
 */
export class RestoredIds {
  private constructor(
    private readonly file: FileHandle,
    private readonly ids: Map<string, string>,
  ) {}

  static async open(path: string): Promise<RestoredIds> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const ids = new Map<string, string>();
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [kind, before, now] = line.split(' ');
      // The last line may have been cut off by a crash.
      if (kind && before && now?.length === before.length) ids.set(`${kind} ${before}`, now);
    }
    const file = await open(path, 'a', 0o600);
    if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
    return new RestoredIds(file, ids);
  }

  get(kind: Kind, before: string): string | undefined {
    return this.ids.get(`${kind} ${before}`);
  }

  async note(kind: Kind, before: string, now: string): Promise<void> {
    await this.file.appendFile(`${kind} ${before} ${now}\n`);
    this.ids.set(`${kind} ${before}`, now);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
