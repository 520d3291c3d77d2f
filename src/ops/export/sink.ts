import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
  realpath,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dependencyDown, wrongUsage, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { errnoOf, isOfDisk, makeFolder } from '../../base/os/files.js';
import { type Lock, acquireLock, LockHeldError } from '../../base/os/process-lock.js';
import { TarStream } from '../tar.js';

/** A file of an export. */
interface SinkFile {
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
  readonly content: AsyncIterable<Buffer>;
}

/** Where an export goes. */
export interface Sink {
  add(file: SinkFile): Promise<void>;
  /** Whether a file may be added again, in place of the former. */
  readonly canReplace: boolean;
  /** Renames a damaged file, if that is still possible, so that nothing takes it for the picture. */
  setAside(path: string): Promise<void>;
  /** Whether an earlier run wrote this file, whose bytes never change. */
  has(file: Pick<SinkFile, 'path' | 'bytes'>): Promise<boolean>;
  finish(): Promise<void>;
  /** Releases the lock, whether or not the export is finished. */
  close(): Promise<void>;
}

const newDirectory = 'Name a directory that is empty or does not exist yet.';

/** Marks a directory as an incomplete export, and names its subject. */
const unfinished = 'export.unfinished';

/** An export into a directory, which may resume an interrupted one. */
export class DirectorySink implements Sink {
  readonly canReplace = true;

  private constructor(
    private readonly dir: string,
    private readonly lock: Lock,
  ) {}

  /**
   * @param subject whose export it is.
   * @param locks a folder of the home.
   * @throws OperatorError (1, 2) if another export, or something else, is there.
   */
  static async open(dir: string, subject: string, locks: string): Promise<DirectorySink> {
    await explained(dir, () => makeFolder(resolve(dir), 0o700));
    const lock = await lockDirectory(dir, locks);
    try {
      await DirectorySink.#mark(dir, subject);
    } catch (error) {
      await lock.release();
      throw error;
    }
    return new DirectorySink(dir, lock);
  }

  static async #mark(dir: string, subject: string): Promise<void> {
    const marker = join(dir, unfinished);
    const names = await explained(dir, () => readdir(dir));
    const found = await readFile(marker, 'utf8').catch(() => undefined);
    if (!names.every(isOfDisk) && found !== subject) {
      throw wrongUsage(`${dir} is not empty, and is not an unfinished export of ${subject}.`, {
        code: 'not_empty',
        setting: 'DIR',
        remedy: newDirectory,
      });
    }
    await explained(dir, () => writeFile(marker, subject, { mode: 0o600 }));
  }

  async has({ path, bytes }: Pick<SinkFile, 'path' | 'bytes'>): Promise<boolean> {
    const found = await stat(join(this.dir, path)).catch(() => undefined);
    return found?.isFile() === true && found.size === bytes;
  }

  async add(file: SinkFile): Promise<void> {
    const at = join(this.dir, file.path);
    const partial = `${at}.partial`;
    await explained(this.dir, async () => {
      await mkdir(dirname(at), { recursive: true, mode: 0o700 });
      try {
        await pipeline(
          Readable.from(file.content, { objectMode: false }),
          createWriteStream(partial, { mode: 0o600, flush: true }),
        );
        await utimes(partial, file.modified, file.modified);
        await rename(partial, at);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    });
  }

  async setAside(path: string): Promise<void> {
    const at = join(this.dir, path);
    await explained(this.dir, () => rename(at, `${at}.damaged`));
  }

  async finish(): Promise<void> {
    await rm(join(this.dir, unfinished), { force: true });
  }

  async close(): Promise<void> {
    await this.lock.release();
  }
}

/**
 * Prevents two exports of a home from writing the same files at once. The lock is not in the
 * directory itself, which may be on a file system without hard links.
 * @param locks the folder of the lock.
 * @throws OperatorError (1) if another process exports there.
 */
async function lockDirectory(dir: string, locks: string): Promise<Lock> {
  const name = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 16);
  return acquireLock(join(locks, `export-${name}.lock`)).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw error;
    throw failure(`Process ${error.holder.pid} is exporting into ${dir}.`, {
      code: 'in_use',
      setting: 'DIR',
      remedy: 'Wait until it has ended, or choose another directory.',
      cause: error,
    });
  });
}

/** Explains errors of the directory, but not those of the data that is written. */
async function explained<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw dependencyDown(`There is no space left for ${dir}.`, {
        setting: 'DIR',
        remedy: 'Free up space, then run the same command again: it resumes where it stopped.',
        cause,
      });
    }
    if (code === 'EEXIST') {
      throw wrongUsage(`${dir} is not a directory.`, {
        setting: 'DIR',
        remedy: newDirectory,
        cause,
      });
    }
    throw wrongUsage(`${dir} cannot be written (${code}).`, {
      setting: 'DIR',
      remedy: isRefusal(code) ? elsewhere() : 'Name another directory.',
      cause,
    });
  }
}

const isRefusal = (code: string): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(code);

/** The shell opens the file as the user who types, whichever user the command runs as. */
const elsewhere = (): string =>
  `Name a directory that uid ${process.getuid?.()}, which this runs as, may write to, or redirect a tar: ${commandLine('export', '-', '--user', 'ID')} > export.tar`;

/** An export as one tar, whose last file is the manifest. */
export class TarSink implements Sink {
  readonly canReplace = false;
  readonly #tar: TarStream;

  constructor(output: Writable) {
    this.#tar = new TarStream(output);
  }

  async has(): Promise<boolean> {
    return false;
  }

  async setAside(): Promise<void> {
    // It has been sent; the report names it.
  }

  async add({ path, bytes, modified, content }: SinkFile): Promise<void> {
    await this.#tar.add(path, bytes, content, modified);
  }

  async finish(): Promise<void> {
    await this.#tar.finish();
  }

  async close(): Promise<void> {
    // Nobody else writes into this pipe.
  }
}
