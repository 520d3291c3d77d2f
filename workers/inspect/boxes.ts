import type { FileBytes } from './file-bytes.js';
import { counter } from './structure.js';

/** A box of an ISO base media file: where it begins, and where its content begins and ends. */
export interface Box {
  readonly type: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

const shortHeadBytes = 8;
const longHeadBytes = 16;
const versionBytes = 4;

/** The boxes between two offsets, up to the first broken one. */
export function boxesIn(bytes: FileBytes, from: number, to: number): Box[] {
  const found: Box[] = [];
  const countBox = counter('boxes');
  for (let at = from; at + shortHeadBytes <= to;) {
    const head = bytes.at(at, shortHeadBytes);
    if (head === undefined) break;
    countBox();
    const type = head.toString('latin1', 4);
    const declared = head.readUInt32BE(0);
    // 0: to the end; 1: the size follows in eight bytes.
    const long = declared === 1 ? bytes.at(at + shortHeadBytes, 8) : undefined;
    const size = long ? Number(long.readBigUInt64BE(0)) : declared === 0 ? to - at : declared;
    const headBytes = long ? longHeadBytes : shortHeadBytes;
    if (size < headBytes) break;
    found.push({ type, at, start: at + headBytes, end: Math.min(at + size, to) });
    at += size;
  }
  return found;
}

/** Reads the numbers of a box in order; anything past its end reads as 0. */
export class BoxReader {
  #at = 0;
  readonly version: number;
  readonly flags: number;
  readonly #content: Buffer;

  /** The version and flags that most boxes begin with are read at once. */
  constructor(bytes: FileBytes, box: Box) {
    this.#content = bytes.at(box.start, box.end - box.start) ?? Buffer.alloc(0);
    this.version = this.number(1);
    this.flags = this.number(versionBytes - 1);
  }

  /** False if nothing is left to read. */
  get more(): boolean {
    return this.#at < this.#content.length;
  }

  /**
   * @param length 1 to 4 bytes, or 8, of which only what a number can hold; other lengths read as
   *   0.
   */
  number(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#content.length) return 0;
    if (length === 8) return Number(this.#content.readBigUInt64BE(at));
    return length > 0 && length <= 4 ? this.#content.readUIntBE(at, length) : 0;
  }

  skip(length: number): void {
    this.#at += length;
  }

  text(length: number): string {
    this.#at += length;
    return this.#content.toString('latin1', this.#at - length, this.#at);
  }
}
