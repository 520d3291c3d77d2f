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

/**
 * Steps that reading the structure of one file may take, of about 0.3 µs each: an animated GIF of
 * 200 MB, in blocks of 255 bytes, takes that many.
 */
export const maxSteps = 1_000_000;
/** What a step stands for: bytes that are copied or searched, and those that are read from a disk. */
const copiedPerStep = 1024;
const readPerStep = 2048;
const stepsOfRead = 16;

const tooComplex = (what: string): Refused => new Refused('image_too_complex', what);

/**
 * Random access to the bytes of a file, one window at a time, and the budget of whoever reads its
 * structure: every read takes from it, and so does every step of a loop that reads nothing.
 */
export class FileBytes {
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #steps = 0;
  readonly #memory = Buffer.allocUnsafe(windowBytes);

  /** @param file a descriptor, or the bytes themselves */
  constructor(
    private readonly file: number | Buffer,
    readonly size: number,
  ) {}

  /** Steps taken so far. */
  get steps(): number {
    return this.#steps;
  }

  /** @throws Refused `image_too_complex` if that is more than is left of the budget. */
  spend(steps = 1): void {
    this.#steps += steps;
    if (this.#steps > maxSteps) throw tooComplex(`more than ${maxSteps} steps`);
  }

  /**
   * A copy of the bytes from `offset` on; undefined if some of them are missing.
   *
   * @throws Refused `image_too_complex`, like `spend`.
   */
  at(offset: number, length: number): Buffer | undefined {
    this.spend(1 + Math.floor(length / copiedPerStep));
    // A file may state any number, a fraction included.
    if (!Number.isSafeInteger(offset) || offset < 0 || offset + length > this.size)
      return undefined;
    if (length > maxReadBytes) throw tooComplex(`a structure of ${length} bytes`);
    const bytes = this.#from(offset, length);
    return bytes.length < length ? undefined : Buffer.from(bytes.subarray(0, length));
  }

  /** Like `at`, without a copy: for what comes in very many small parts. */
  byteAt(offset: number): number | undefined {
    this.spend();
    return offset < this.size ? this.#from(offset, 1)[0] : undefined;
  }

  /** The first position from `offset` on where `0xff` precedes a byte that `wanted` accepts. */
  findMarker(offset: number, wanted: (code: number) => boolean): number | undefined {
    for (let start = offset; ;) {
      const bytes = this.#from(start, 2);
      const last = bytes.length - 1;
      if (last < 1) return undefined;
      this.spend();
      for (let at = bytes.indexOf(0xff); at >= 0 && at < last; at = bytes.indexOf(0xff, at + 1)) {
        if (wanted(bytes[at + 1] as number)) return start + at;
        this.#steps += 1 / 4; // without a look at the budget, which the next window has
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
    const wanted = Math.max(length, onwards ? windowBytes : jumpBytes);
    this.spend(stepsOfRead + Math.floor(wanted / readPerStep));
    this.#start = offset;
    if (typeof this.file !== 'number') {
      this.#window = this.file.subarray(offset, offset + wanted);
      return;
    }
    const memory = wanted > windowBytes ? Buffer.allocUnsafe(wanted) : this.#memory;
    this.#window = memory.subarray(0, readSync(this.file, memory, 0, wanted, offset));
  }
}
