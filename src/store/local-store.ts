import { access, constants, rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  DirectorySync,
  makeDirectory,
  retryWhileRemoved,
  removeEmptyDirectories,
  withAncestors,
  listFiles,
  type ListedFile,
  moveFile,
  tryCopies,
  syncFile,
} from './directories.js';
import { assertKey, assertPrefix } from './object-key.js';
import { forEachLimited } from '../base/concurrency.js';
import { unavailable } from '../base/errors/catalogue.js';
import {
  DeletionRefused,
  type ByteRange,
  type NewObject,
  type ObjectBody,
  type ObjectStat,
  type ObjectStore,
  type SignObject,
  type UrlSigner,
} from './port.js';
import { openObject, statObject } from './open-file.js';
import { checkSentinel } from './sentinel.js';
import { errnoOf, isFileMissing, fileStoreError, withStoreErrors } from '../base/os/files.js';

/**
 * Files processed concurrently; more than libuv has threads for would only hold descriptors open.
 */
const parallelFiles = 16;

interface LocalStoreOptions {
  /** Existing folder; created only by `init`. */
  readonly root: string;
  /** The installation whose sentinel `check` expects in the store. */
  readonly instanceId: string;
  /** Creates the URLs that the API serves. */
  readonly signer: UrlSigner;
}

/**
 * Stores objects as files below a root folder, by key.
 * Failed system calls surface as ServiceError `unavailable`.
 */
export class LocalStore implements ObjectStore {
  readonly #root: string;
  readonly #folders: DirectorySync;

  constructor(private readonly options: LocalStoreOptions) {
    this.#root = resolve(options.root);
    this.#folders = new DirectorySync(this.#root);
  }

  async put(objects: readonly NewObject[]): Promise<void> {
    for (const { key } of objects) assertKey(key);
    await withStoreErrors(async () => {
      await forEachLimited(objects, parallelFiles, ({ path }) => syncFile(path));
      const folders = new Set(objects.map(({ key }) => this.#folderOf(key)));
      await forEachLimited(folders, parallelFiles, (folder) =>
        retryWhileRemoved(() => makeDirectory(folder, this.#root)),
      );
      await forEachLimited(objects, parallelFiles, ({ key, path }) =>
        moveFile(path, this.#pathOf(key), this.#root),
      );
      // Up to the root, since it is not known here which parent folders are already durable.
      await this.#syncAll([...folders].flatMap((folder) => withAncestors(folder, this.#root)));
    });
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    assertKey(key);
    return withStoreErrors(() => openObject(this.#pathOf(key), range).catch(absentOrThrow));
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    assertKey(key);
    return withStoreErrors(() => statObject(this.#pathOf(key)).catch(absentOrThrow));
  }

  async move(from: string, to: string): Promise<void> {
    assertKey(from);
    if (!(await this.stat(from))) throw new Error(`no such object: ${from}`);
    if (await this.stat(to)) throw new Error(`object exists: ${to}`);
    const folder = this.#folderOf(to);
    await withStoreErrors(async () => {
      // Not by a hard link, which the kernel refuses for files of another user.
      await retryWhileRemoved(async () => {
        await makeDirectory(folder, this.#root);
        await rename(this.#pathOf(from), this.#pathOf(to));
      });
      await this.#syncAll(withAncestors(folder, this.#root));
      await this.#syncAll([await removeEmptyDirectories(this.#folderOf(from), this.#root)]);
    });
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) assertKey(key);
    const reasons = new Map<string, string>();
    let firstCode = '';
    await withStoreErrors(async () => {
      await forEachLimited(keys, parallelFiles, async (key) => {
        try {
          await unlink(this.#pathOf(key)).catch(absentOrThrow);
        } catch (error) {
          // One file that cannot be deleted, such as an immutable one, must not hold up the others.
          reasons.set(key, (error as Error).message);
          firstCode ||= errnoOf(error) ?? '';
        }
      });
      const remaining: string[] = [];
      const folders = new Set(keys.map((key) => this.#folderOf(key)));
      await forEachLimited(folders, parallelFiles, async (folder) => {
        remaining.push(await removeEmptyDirectories(folder, this.#root));
      });
      // Otherwise a power cut could restore objects that nothing references any more.
      await this.#syncAll(remaining);
    });
    if (reasons.size > 0) {
      throw unavailable('The object store', new DeletionRefused(reasons, firstCode));
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedFile> {
    assertPrefix(prefix);
    try {
      yield* listFiles(this.#root, prefix);
    } catch (error) {
      throw fileStoreError(error);
    }
  }

  async *unfinished(): AsyncGenerator<never> {
    // A file gets its name only when it is complete.
  }

  sign(key: string, name?: string): string {
    return this.options.signer.sign(key, name);
  }

  signIn(folder: string, base: string): SignObject {
    return this.options.signer.signIn(folder, base);
  }

  async check(): Promise<void> {
    await checkSentinel(this, this.options.instanceId);
    // A file system with errors is often remounted read-only.
    await withStoreErrors(() => access(this.#root, constants.W_OK));
  }

  async checkReady(): Promise<void> {
    await this.check();
    // There may be no inode left, or no way to give a file its name.
    await withStoreErrors(() => tryCopies(this.#root));
  }

  distrust(): void {
    // Its check does not depend on earlier puts.
  }

  #pathOf(key: string): string {
    return join(this.#root, key);
  }

  #folderOf(key: string): string {
    return dirname(this.#pathOf(key));
  }

  async #syncAll(folders: readonly string[]): Promise<void> {
    await forEachLimited(new Set(folders), parallelFiles, (folder) => this.#folders.sync(folder));
  }
}

function absentOrThrow(error: unknown): undefined {
  if (!isFileMissing(error)) throw error;
}
