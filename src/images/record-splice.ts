import type { JsonPiece } from '../database/json-text.js';

/** Stands on both sides of a placeholder; JSON text never contains it unescaped. */
const mark = '\u0001';
const sqlMark = `E'\\x01'`;

/** The folder that the objects of one record are in; stands before their URLs. */
export const folderPlaceholder = (...folder: readonly JsonPiece[]): readonly JsonPiece[] => [
  `${mark}f`,
  ...folder,
  mark,
];

/** Where the signed URL of an object goes, by what its key has after the folder. */
export const urlPlaceholder = (...rest: readonly JsonPiece[]): readonly JsonPiece[] => [
  `${mark}u`,
  ...rest,
  mark,
];

/** SQL of where a time goes, by its second; null where the instant is. */
export const timePlaceholder = (instant: string): string =>
  `${sqlMark} || 't' || floor(extract(epoch FROM ${instant})) || ${sqlMark}`;

/** What goes in the place of placeholders: JSON text, in ASCII. */
export interface Fillings {
  readonly url: (key: string) => string;
  /** @param second since 1970. */
  readonly time: (second: number) => string;
}

/**
 * Fills in the placeholders of the elements of a JSON array that PostgreSQL made.
 * @param elements of one character for each byte of UTF-8, as `characterPerByte` makes them.
 * @returns the array in UTF-8.
 */
export function splice(elements: string, { url, time }: Fillings): Buffer {
  const bytes = new Latin1(elements.length * growth);
  let folder = '';
  let copied = 0;
  bytes.add('[');
  for (let at = elements.indexOf(mark); at >= 0; at = elements.indexOf(mark, copied)) {
    const end = elements.indexOf(mark, at + 1);
    const kind = elements.charAt(at + 1);
    const subject = elements.slice(at + 2, end);
    if (at > copied) bytes.add(elements.slice(copied, at));
    if (kind === 'f') folder = `${subject}/`;
    else bytes.add(kind === 'u' ? url(folder + subject) : time(Number(subject)));
    copied = end + 1;
  }
  bytes.add(`${elements.slice(copied)}]`);
  return bytes.taken();
}

/** A page with its URLs is longer than without them by rather less than this factor. */
const growth = 1.5;

/** Text in the making. Joining the pieces as strings would leave much to be collected. */
class Latin1 {
  #bytes: Buffer;
  #end = 0;

  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(Math.ceil(expected) + 64);
  }

  add(piece: string): void {
    if (this.#end + piece.length > this.#bytes.length) this.#grow(piece.length);
    this.#end += this.#bytes.write(piece, this.#end, 'latin1');
  }

  taken(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafe((this.#bytes.length + more) * 2);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
