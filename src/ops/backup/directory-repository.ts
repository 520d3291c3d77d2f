import { randomUUID } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import {
  constants,
  copyFile,
  link,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import {
  failure,
  badConfiguration,
  dependencyDown,
  wrongUsage,
  type OperatorError,
} from '../../base/errors/operator.js';
import { makeFolder, errnoOf, isFileMissing } from '../../base/os/files.js';
import { run } from '../../base/os/run.js';
import {
  makeDirectory,
  removeEmptyDirectories,
  syncFile,
  listFiles,
} from '../../store/directories.js';
import { sumOfFile, type FileSum, type Repository } from './repository.js';

/** Error codes of a file system that cannot hard-link a file, or of one that has the name already. */
const unlinkable: readonly unknown[] = [
  'EEXIST',
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
];

/** Folders below which files are listed and removed. */
const folders = ['unfinished', 'objects', 'generations', 'stretches'];

/**
 * Backups in a directory, on any file system: hard links are used only where they are supported.
 */
export class DirectoryRepository implements Repository {
  readonly name: string;
  readonly staging: string;

  private constructor(private readonly root: string) {
    this.name = root;
    this.staging = join(root, 'unfinished');
  }

  /** @param create creates a missing directory. @throws OperatorError. */
  static async open(dir: string, create: boolean): Promise<DirectoryRepository> {
    const root = resolve(dir);
    const repository = new DirectoryRepository(root);
    return repository.#explained(async () => {
      if (create) {
        await makeFolder(root, 0o700);
        await makeFolder(repository.staging, 0o700);
      } else {
        await stat(root);
      }
      for (const name of folders) await repository.#isOwnFolder(name);
      return repository;
    });
  }

  async size(path: string): Promise<number | undefined> {
    return this.#unlessMissing(async () => {
      const found = await lstat(join(this.root, path));
      return found.isFile() ? found.size : undefined;
    });
  }

  async read(path: string): Promise<Readable | undefined> {
    return this.#unlessMissing(async () => {
      const file = await this.#open(path);
      return file && createReadStream('', { fd: file });
    });
  }

  /**
   * Others may be able to write to the directory: whatever is not a file in it, such as a symbolic
   * link or a pipe, is none of its files.
   */
  async #open(path: string): Promise<FileHandle | undefined> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(join(this.root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
      (error: unknown) => {
        if (errnoOf(error) === 'ELOOP') return undefined;
        throw error;
      },
    );
    if (!file) return undefined;
    const at = await readlink(`/proc/self/fd/${file.fd}`);
    if ((await file.stat()).isFile() && at === join(await realpath(this.root), path)) return file;
    await file.close();
    return undefined;
  }

  fileAt(path: string): string {
    return join(this.root, path);
  }

  /** What is in a folder. @throws OperatorError 1 if a symbolic link leads to it. */
  async entriesOf(path: string): Promise<Dirent[]> {
    if (!(await this.#isOwnFolder(path))) return [];
    return readdir(join(this.root, path), { withFileTypes: true });
  }

  async put(path: string, file: string): Promise<void> {
    await this.#explained(async () => {
      const target = await this.#place(path);
      await syncFile(file);
      try {
        await rename(file, target);
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error;
        const copy = join(this.staging, randomUUID());
        await copyFile(file, copy);
        await syncFile(copy);
        await rename(copy, target);
        await rm(file);
      }
    });
  }

  /** By a hard link. */
  async adopt(path: string, file: string): Promise<FileSum | undefined> {
    return this.#explained(async () => {
      const target = await this.#place(path);
      try {
        await link(file, target);
      } catch (error) {
        if (isFileMissing(error) || unlinkable.includes(errnoOf(error))) return undefined;
        throw error;
      }
      return sumOfFile(target);
    });
  }

  async *list(prefix: string): AsyncGenerator<{ path: string; bytes: number }> {
    for await (const { key: path, bytes } of listFiles(this.root, prefix)) yield { path, bytes };
  }

  async remove(paths: readonly string[]): Promise<void> {
    await this.#explained(async () => {
      for (const path of paths) {
        if (!(await this.#isOwnFolder(dirname(path)))) continue;
        await rm(join(this.root, path), { force: true });
        await removeEmptyDirectories(dirname(join(this.root, path)), this.root);
      }
    });
  }

  async flush(): Promise<void> {
    const { code, output } = await run('sync', ['-f', this.root]);
    if (code !== 0) throw new Error(`sync -f ${this.root} failed: ${output.trim()}`);
  }

  async #place(path: string): Promise<string> {
    const target = join(this.root, path);
    await makeDirectory(dirname(target), this.root);
    await this.#isOwnFolder(dirname(path));
    return target;
  }

  /** Whether a folder exists. @throws OperatorError 1 if a symbolic link leads elsewhere. */
  async #isOwnFolder(path: string): Promise<boolean> {
    const folder = await this.#unlessMissing(() => realpath(join(this.root, path)));
    if (folder === undefined) return false;
    if (folder === join(await realpath(this.root), path)) return true;
    throw failure(`${join(this.root, path)} is a symbolic link to ${folder}.`, {
      code: 'symbolic_link',
      setting: 'DIR',
      remedy: 'Replace it with a directory, such as a mount of the other one (mount --bind).',
    });
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw errnoOf(error) === undefined ? error : explainDirectory(this.root, error);
    }
  }

  async #unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw explainDirectory(this.root, error);
    }
  }
}

/** What prevents the use of a directory for backups, and how to fix it. */
export function explainDirectory(root: string, cause: unknown): OperatorError {
  const message = `The backup directory ${root} cannot be used: ${(cause as Error).message}`;
  const setting = 'DIR';
  switch (errnoOf(cause)) {
    case 'ENOENT':
      return failure(`There is no ${root}.`, {
        code: 'missing',
        setting,
        remedy: 'Correct the path, or mount its file system.',
        cause,
      });
    case 'EEXIST':
    case 'ENOTDIR':
      return wrongUsage(message, {
        setting,
        remedy: 'Specify a directory; it need not exist yet.',
        cause,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return dependencyDown(message, {
        setting,
        remedy: `Free up space, or keep fewer backups (backup prune): df -h '${root}'. Then run the same command again; it resumes from there.`,
        cause,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return badConfiguration(message, {
        setting,
        remedy: `Give it to the user that this runs as: sudo chown -R ${process.getuid?.()}:${process.getgid?.()} '${root}'`,
        cause,
      });
    default:
      return dependencyDown(message, { setting, remedy: `Check the disk: df -h '${root}'`, cause });
  }
}
