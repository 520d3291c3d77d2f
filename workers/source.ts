import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { bytesPerMegabyte } from '../src/base/units.js';
import { Refused } from './refused.js';

/** The bytes of an image: a path, or a repaired copy in memory. */
export type Source = string | Buffer;

/** The last `length` bytes of a file, or all if there are fewer. */
export async function readTail(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - length);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Passes the bytes of an image to `use`, and closes its file afterward. Not asynchronous: a few small
 * reads take less time than passing them to another thread.
 */
export function withBytes<T>(source: Source, use: (bytes: FileBytes) => T): T {
  if (typeof source !== 'string') return use(new FileBytes(source, source.length));
  const fd = openSync(source, 'r');
  try {
    return use(new FileBytes(fd, fstatSync(fd).size));
  } finally {
    closeSync(fd);
  }
}

const windowBytes = 64 * 1024;
/** After a seek little is read: usually just a header before the next seek. */
const jumpBytes = 4 * 1024;
/** The largest range read at once. */
const maxReadBytes = bytesPerMegabyte;
/** Enough to read a file of 4 GB from end to end. */
const maxFills = 65_536;
const maxReads = 1_000_000;

const tooComplex = (what: string): Refused => new Refused('image_too_complex', what);

/**
 * Random access to the bytes of a file, one window at a time. The number of reads is bounded, so
 * that even a convoluted file structure cannot keep its reader busy for long.
 */
export class FileBytes {
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #fills = 0;
  #reads = 0;
  readonly #memory = Buffer.allocUnsafe(windowBytes);

  /** @param file a descriptor, or the bytes themselves */
  constructor(
    private readonly file: number | Buffer,
    readonly size: number,
  ) {}

  /**
   * A copy of the bytes from `offset` on; undefined if some of them are missing.
   *
   * @throws Refused `image_too_complex` if too much was read.
   */
  at(offset: number, length: number): Buffer | undefined {
    if (++this.#reads > maxReads) throw tooComplex(`more than ${maxReads} parts`);
    if (offset + length > this.size) return undefined;
    if (length > maxReadBytes) throw tooComplex(`a structure of ${length} bytes`);
    const bytes = this.#from(offset, length);
    return bytes.length < length ? undefined : Buffer.from(bytes.subarray(0, length));
  }

  /** The first position from `offset` on where `0xff` precedes a byte that `wanted` accepts. */
  findMarker(offset: number, wanted: (code: number) => boolean): number | undefined {
    for (let start = offset; ;) {
      const bytes = this.#from(start, 2);
      const last = bytes.length - 1;
      if (last < 1) return undefined;
      for (let at = 0; at < last; at++) {
        if (bytes[at] === 0xff && wanted(bytes[at + 1] as number)) return start + at;
      }
      start += last;
    }
  }

  /** The window's content from `offset` on; the window moves if it has less than `length`. */
  #from(offset: number, length: number): Buffer {
    const end = this.#start + this.#window.length;
    if (offset < this.#start || offset + length > end)
      this.#fill(offset, length, offset > this.#start && offset <= end);
    return this.#window.subarray(offset - this.#start);
  }

  #fill(offset: number, length: number, onwards: boolean): void {
    if (++this.#fills > maxFills) throw tooComplex('its parts are too far apart');
    const wanted = Math.max(length, onwards ? windowBytes : jumpBytes);
    this.#start = offset;
    if (typeof this.file !== 'number') {
      this.#window = this.file.subarray(offset, offset + wanted);
      return;
    }
    const memory = wanted > windowBytes ? Buffer.allocUnsafe(wanted) : this.#memory;
    this.#window = memory.subarray(0, readSync(this.file, memory, 0, wanted, offset));
  }
}
