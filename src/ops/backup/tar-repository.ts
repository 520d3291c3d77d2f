import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm, stat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Home } from '../../base/config/home.js';
import { processStart } from '../../base/os/process-lock.js';
import { isFileMissing } from '../../base/os/files.js';
import { Summing, unfinishedPath, type FileSum, type Repository } from './repository.js';

const prefix = 'stream-';

/** Runs work with a repository that is written as one tar stream, then ends the stream. */
export async function withStream<T>(
  home: Home,
  out: Writable,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  await mkdir(home.backups, { recursive: true, mode: 0o700 });
  await sweep(home);
  const staging = join(home.backups, `${prefix}${process.pid}`);
  await mkdir(staging, { mode: 0o700 });
  try {
    const tar = new TarStream(out);
    const done = await work(new TarRepository(tar, staging));
    await tar.end();
    return done;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what killed processes left. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.backups)) {
    const pid = Number(name.startsWith(prefix) && name.slice(prefix.length));
    if (!pid || processStart(pid) !== undefined) continue;
    await rm(join(home.backups, name), { recursive: true, force: true });
  }
}

/** A new repository as a tar stream, to be unpacked into an empty directory. */
class TarRepository implements Repository {
  readonly name = '-';

  constructor(
    private readonly tar: TarStream,
    readonly staging: string,
  ) {}

  async size(): Promise<undefined> {
    return undefined;
  }

  async read(): Promise<undefined> {
    return undefined;
  }

  fileAt(): undefined {
    return undefined;
  }

  async put(path: string, file: string): Promise<void> {
    if (path !== unfinishedPath) await this.#add(path, file); // an incomplete stream needs no marker
    await rm(file);
  }

  async adopt(path: string, file: string): Promise<FileSum | undefined> {
    try {
      return await this.#add(path, file);
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw error;
    }
  }

  async *list(): AsyncGenerator<never> {
    // A stream cannot be read back.
  }

  async remove(): Promise<void> {
    // Nor can anything be removed from it.
  }

  async flush(): Promise<void> {
    // Whoever reads the stream stores it.
  }

  async #add(path: string, file: string): Promise<FileSum> {
    const { size } = await stat(file);
    const summing = new Summing();
    const source = createReadStream(file) as AsyncIterable<Buffer>;
    await this.tar.add(path, size, summing.through(source));
    return summing.sum();
  }
}

/** Writes an archive, one file after another. */
class TarStream {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly out: Writable) {}

  /**
   * @param bytes size of the source: any other size is an error, and makes the archive unusable.
   */
  add(path: string, bytes: number, source: AsyncIterable<Buffer>): Promise<void> {
    const turn = this.#last.then(() => this.#add(path, bytes, source));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async end(): Promise<void> {
    await this.#last;
    await this.#write(Buffer.alloc(2 * blockSize));
  }

  async #add(path: string, bytes: number, source: AsyncIterable<Buffer>): Promise<void> {
    await this.#write(tarHeader(path, bytes, new Date()));
    let written = 0;
    for await (const chunk of source) {
      written += chunk.length;
      await this.#write(chunk);
    }
    if (written !== bytes) throw new Error(`${path} has ${written} bytes in place of ${bytes}`);
    await this.#write(Buffer.alloc((blockSize - (bytes % blockSize)) % blockSize));
  }

  async #write(chunk: Buffer): Promise<void> {
    if (this.out.destroyed || this.out.errored) throw new Error('nobody reads the stream any more');
    if (!this.out.write(chunk)) await once(this.out, 'drain');
  }
}

const blockSize = 512;

/** Largest size that the header has octal digits for; beyond, GNU tar and bsdtar read it in binary. */
const maxOctal = 8 ** 11 - 1;

/** Splits a path over the two fields of a header. */
function nameFields(path: string): { name: string; prefix: string } {
  if (path.length <= 100) return { name: path, prefix: '' };
  const cut = path.lastIndexOf('/');
  const fields = { name: path.slice(cut + 1), prefix: path.slice(0, cut) };
  if (fields.name.length <= 100 && fields.prefix.length <= 155) return fields;
  throw new RangeError(`too long for a tar archive: ${path}`);
}

/** The header of a file in an archive, as POSIX describes it (ustar). */
function tarHeader(path: string, bytes: number, modifiedAt: Date): Buffer {
  const block = Buffer.alloc(blockSize);
  const { name, prefix } = nameFields(path);
  const octal = (value: number, at: number, digits: number): void =>
    void block.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  if (bytes <= maxOctal) octal(bytes, 124, 11);
  else {
    block.writeBigUInt64BE(BigInt(bytes), 128);
    block[124] = 0x80;
  }
  octal(Math.floor(modifiedAt.getTime() / 1000), 136, 11);
  block.fill(' ', 148, 156); // the checksum counts as blanks
  block.write('0', 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  block.write(prefix, 345, 'latin1');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block[154] = 0;
  return block;
}
