import { close, createReadStream, fstat, open, read, stat, type Stats } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { guarded } from '../base/guarded.js';
import { withStoreErrors } from '../base/os/files.js';
import type { ByteRange, ObjectBody, ObjectStat } from './port.js';

// Callbacks and descriptors: promises and file handles take twice the CPU time for a small file.
const openFile = promisify(open);

const statFile = promisify(fstat);

const statPath = promisify(stat);

/** Opens the object at `path`. @returns undefined if something else is there. */
export async function openObject(
  path: string,
  range: ByteRange | undefined,
): Promise<ObjectBody | undefined> {
  const file = await openFile(path, 'r');
  let found: ObjectStat | undefined;
  try {
    found = objectStat(await statFile(file));
  } finally {
    if (!found) closeFile(file);
  }
  return found && new OpenObject(file, found, range ?? { start: 0, end: found.bytes - 1 });
}

/** @returns undefined if something else is there. */
export const statObject = async (path: string): Promise<ObjectStat | undefined> =>
  objectStat(await statPath(path));

/** Folders are not objects. */
function objectStat(stats: Stats): ObjectStat | undefined {
  return stats.isFile() ? { bytes: stats.size, modifiedAt: stats.mtime } : undefined;
}

/**
 * Bytes per read of a stream. For a client that does not read its archive, each of the streams it
 * passes through buffers one or two of these.
 */
const streamReadSize = 16 * 1024;

/** Must be read in one of the three ways, each of which closes the file. */
class OpenObject implements ObjectBody {
  readonly bytes: number;
  readonly modifiedAt: Date;
  #stream: Readable | undefined;

  constructor(
    private readonly file: number,
    { bytes, modifiedAt }: ObjectStat,
    private readonly range: ByteRange,
  ) {
    this.bytes = bytes;
    this.modifiedAt = modifiedAt;
  }

  get stream(): Readable {
    const { start, end } = this.range;
    this.#stream ??= createReadStream('', {
      fd: this.file,
      start,
      // A stream cannot end before its start, as that of an empty file would.
      end: Math.max(start, end),
      highWaterMark: streamReadSize,
    });
    return this.#stream;
  }

  async read(): Promise<Buffer> {
    try {
      return await withStoreErrors(() => readRange(this.file, this.range));
    } finally {
      closeFile(this.file);
    }
  }

  async sendTo(destination: Writable, signal: AbortSignal): Promise<void> {
    try {
      await sendFile(this.file, this.range, destination, signal);
    } finally {
      closeFile(this.file);
    }
  }
}

/** Nothing was written that could fail on close. */
const closeFile = (file: number): void => close(file, () => undefined);

async function readRange(file: number, { start, end }: ByteRange): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(end + 1 - start);
  for (let filled = 0; filled < buffer.length;) {
    const left = buffer.length - filled;
    const { bytesRead } = await readBytes(file, buffer, filled, left, start + filled);
    if (bytesRead === 0) throw new Error('the object is shorter than expected');
    filled += bytesRead;
  }
  return buffer;
}

/**
 * Bytes per read and write: the more, the fewer system calls, and the more memory for a client that does
 * not read. So only some downloads have large buffers at a time, 8 MB in all; with small ones, such a
 * client holds less than 128 KB.
 */
const largeBytes = 128 * 1024;
const smallBytes = 40 * 1024;
const maxLarge = 64;

/** Small buffers kept for later downloads; 5 MB. */
const maxIdle = 128;

const idle = { large: [] as Buffer[], small: [] as Buffer[] };
let largeInUse = 0;

type Buffers = [Buffer, Buffer];

/** The two buffers of a download of `bytes`. */
function takeBuffers(bytes: number): Buffers {
  const isLarge = bytes > 2 * smallBytes && largeInUse + 2 <= maxLarge;
  if (isLarge) largeInUse += 2;
  const [kept, size] = isLarge ? [idle.large, largeBytes] : [idle.small, smallBytes];
  const take = (): Buffer => kept.pop() ?? Buffer.allocUnsafeSlow(size);
  return [take(), take()];
}

/** @param reusable unless a write may still be reading from them. */
function returnBuffers(buffers: Buffers, reusable: boolean): void {
  const isLarge = buffers[0].length === largeBytes;
  if (isLarge) largeInUse -= 2;
  const kept = isLarge ? idle.large : idle.small;
  if (reusable && kept.length < maxIdle) kept.push(...buffers);
}

const readBytes = promisify(read);

/**
 * Writes a range of an open file to `destination` and ends it; destroys it on failure.
 *
 * Piping a stream allocates a new buffer for every chunk, and half of a download's CPU time goes
 * into garbage collection. Here two buffers alternate, one being read into while the other is being
 * written, and are reused for the next download. A buffer is reused only after its write was
 * reported complete.
 *
 * @param signal aborted when nobody is waiting for the bytes any more.
 */
async function sendFile(
  file: number,
  { start, end }: ByteRange,
  destination: Writable,
  signal: AbortSignal,
): Promise<void> {
  const buffers = takeBuffers(end + 1 - start);
  let written = Promise.resolve();
  try {
    for (let position = start; position <= end; buffers.reverse()) {
      const [buffer] = buffers;
      const length = Math.min(buffer.length, end + 1 - position);
      const { bytesRead } = await readBytes(file, buffer, 0, length, position);
      if (bytesRead === 0) throw new Error('the object is shorter than expected');
      await written;
      written = write(destination, buffer.subarray(0, bytesRead), signal);
      // Awaited after the next read; a failure until then must not count as unhandled.
      written.catch(() => undefined);
      position += bytesRead;
    }
    await written;
  } catch (error) {
    // The buffers are abandoned with it, since a write may still be in progress.
    returnBuffers(buffers, false);
    destination.destroy();
    throw error;
  }
  returnBuffers(buffers, true);
  destination.end();
}

/** Resolves when `destination` has finished with the chunk, so that its memory may be reused. */
function write(destination: Writable, chunk: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = guarded(reject, () => reject(signal.reason as Error));
    if (signal.aborted) return abandon();
    signal.addEventListener('abort', abandon, { once: true });
    const done = guarded(reject, (error: Error | null | undefined) => {
      signal.removeEventListener('abort', abandon);
      if (error) reject(error);
      else resolve();
    });
    destination.write(chunk, done);
  });
}
