import { close, createReadStream, fstat, open, read, stat } from 'node:fs';
import type { Stats } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { withStoreErrors } from '../base/os/system-error.js';
import type { ByteRange, ObjectBody, ObjectStat } from './port.js';
import { sendFile } from './send-file.js';

// Callbacks and descriptors: promises and file handles take twice the CPU time for a small file.
const openFile = promisify(open);
const statFile = promisify(fstat);
const statPath = promisify(stat);
const readFile = promisify(read);

/**
 * Bytes per read of a stream. For a client that does not read its archive, each of the streams it
 * passes through buffers one or two of these.
 */
const streamReadSize = 16 * 1024;

/** Folders are not objects. */
function objectStat(stats: Stats): ObjectStat | undefined {
  return stats.isFile() ? { bytes: stats.size, modifiedAt: stats.mtime } : undefined;
}

/** @returns undefined if something else is there. */
export const statObject = async (path: string): Promise<ObjectStat | undefined> =>
  objectStat(await statPath(path));

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

/** Nothing was written that could fail on close. */
const closeFile = (file: number): void => close(file, () => undefined);

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

async function readRange(file: number, { start, end }: ByteRange): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(end + 1 - start);
  for (let filled = 0; filled < buffer.length;) {
    const left = buffer.length - filled;
    const { bytesRead } = await readFile(file, buffer, filled, left, start + filled);
    if (bytesRead === 0) throw new Error('the object is shorter than expected');
    filled += bytesRead;
  }
  return buffer;
}
