import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { wrongUsage } from '../../errors/operator.js';

/** A file of an export. */
export interface SinkFile {
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
  readonly content: AsyncIterable<Buffer>;
}

/** Where an export goes. */
export interface Sink {
  add(file: SinkFile): Promise<void>;
  /** Whether an earlier run wrote this file, whose bytes never change. */
  has(file: Pick<SinkFile, 'path' | 'bytes'>): Promise<boolean>;
  finish(): Promise<void>;
}

/** Marks a directory as an export that is not complete, and of whom. */
const unfinished = 'export.unfinished';

/** An export in a directory, which may go on with one that was interrupted. */
export class DirectorySink implements Sink {
  private constructor(private readonly dir: string) {}

  /**
   * @param subject of whom it is.
   * @throws OperatorError (2) if something else is there.
   */
  static async open(dir: string, subject: string): Promise<DirectorySink> {
    await mkdir(dir, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      const { code } = cause as NodeJS.ErrnoException;
      throw wrongUsage(`${dir} cannot be created (${code}).`, { setting: 'DIR', cause });
    });
    const marker = join(dir, unfinished);
    const names = await readdir(dir);
    const found = await readFile(marker, 'utf8').catch(() => undefined);
    if (names.length > 0 && found !== subject) {
      throw wrongUsage(`${dir} is not empty, and no unfinished export of ${subject}.`, {
        setting: 'DIR',
        remedy: 'Name a directory that is empty or does not exist yet.',
      });
    }
    await writeFile(marker, subject, { mode: 0o600 });
    return new DirectorySink(dir);
  }

  async has({ path, bytes }: Pick<SinkFile, 'path' | 'bytes'>): Promise<boolean> {
    const found = await stat(join(this.dir, path)).catch(() => undefined);
    return found?.isFile() === true && found.size === bytes;
  }

  async add(file: SinkFile): Promise<void> {
    const at = join(this.dir, file.path);
    await mkdir(dirname(at), { recursive: true, mode: 0o700 });
    const partial = `${at}.partial`;
    await pipeline(
      Readable.from(file.content, { objectMode: false }),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    await utimes(partial, file.modified, file.modified);
    await rename(partial, at);
  }

  async finish(): Promise<void> {
    await rm(join(this.dir, unfinished), { force: true });
  }
}

/** An export as one tar, whose last file is the manifest. */
export class TarSink implements Sink {
  readonly #pack = pack();
  readonly #sent: Promise<void>;

  constructor(output: Writable) {
    this.#sent = pipeline(this.#pack, output, { end: false });
    this.#sent.catch(() => undefined); // told by `finish`, and breaks off `add`
  }

  async has(): Promise<boolean> {
    return false;
  }

  async add({ path, bytes, modified, content }: SinkFile): Promise<void> {
    const entry = this.#pack.entry({ name: path, size: bytes, mtime: modified, mode: 0o600 });
    await pipeline(Readable.from(content, { objectMode: false }), entry);
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#sent;
  }
}
