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
 * Bytes per read and write. With twice that, a client that does not read holds less than 128 KB in
 * all.
 */
const bufferSize = 40 * 1024;

/** Buffers kept for later downloads; 5 MB. */
const maxIdle = 128;

const idle: Buffer[] = [];

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
  const buffers: [Buffer, Buffer] = [takeBuffer(), takeBuffer()];
  let written = Promise.resolve();
  try {
    for (let position = start; position <= end; buffers.reverse()) {
      const [buffer] = buffers;
      const length = Math.min(bufferSize, end + 1 - position);
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
    destination.destroy();
    throw error;
  }
  destination.end();
  if (idle.length < maxIdle) idle.push(...buffers);
}

function takeBuffer(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
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
