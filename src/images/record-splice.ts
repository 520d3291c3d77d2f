import { sqlPiece } from '../database/json-text.js';
import type { JsonPiece } from '../database/json-text.js';

/** Stands on both sides of a placeholder; JSON text never contains it unescaped. */
const mark = '\u0001';
const sqlMark = `E'\\x01'`;

/** Where the signed URL of an object goes, by the SQL of its key. */
export const urlPlaceholder = (key: string): readonly JsonPiece[] => [
  `${mark}u`,
  sqlPiece(key),
  mark,
];

/** SQL of where a time goes, by its second; null where the instant is. */
export const timePlaceholder = (instant: string): string =>
  `${sqlMark} || 't' || floor(extract(epoch FROM ${instant})) || ${sqlMark}`;

/** What goes in the place of placeholders: JSON text, in ASCII. */
export interface Fillings {
  readonly url: (key: string) => string;
  readonly time: (instant: Date) => string;
}

/**
 * Fills in the placeholders of the elements of a JSON array that PostgreSQL made.
 * @param elements of one character for each byte of UTF-8, as `characterPerByte` makes them.
 * @returns the array in UTF-8.
 */
export function splice(elements: string, { url, time }: Fillings): Buffer {
  const pieces = elements.split(mark);
  for (let i = 1; i < pieces.length; i += 2) {
    const placeholder = pieces[i] ?? '';
    const subject = placeholder.slice(1);
    pieces[i] = placeholder.startsWith('u') ? url(subject) : time(new Date(Number(subject) * 1000));
  }
  return Buffer.from(`[${pieces.join('')}]`, 'latin1');
}
