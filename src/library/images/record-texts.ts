import { characterPerByte } from '../../database/json-text.js';

/** Separates the texts of a page; neither JSON nor any other text read ever contains it. */
const separator = '\u0001';
const sqlSeparator = `E'\\x01'`;

/** The texts of a page: those of its first image, of its second, and so on. */
export type Texts = readonly string[];

/**
 * The values that a page reads for each image, as text. PostgreSQL writes values faster than
 * objects: in a third of the time of whole records, whose field names repeat for each image.
 */
export class TextColumns {
  readonly #sql: string[] = [];

  /**
   * Adds a text unless it is already included.
   * @param sql not null.
   * @returns its index among the texts of an image.
   */
  place(sql: string): number {
    const known = this.#sql.indexOf(sql);
    return known < 0 ? this.#sql.push(sql) - 1 : known;
  }

  get count(): number {
    return this.#sql.length;
  }

  /**
   * SQL of the texts of all images, with one character for each byte of UTF-8.
   * @param besides texts after those of every image, not null.
   */
  allSql(order: string, besides: readonly string[]): string {
    const one = `concat_ws(${sqlSeparator}, ${[...this.#sql, ...besides].join(', ')})`;
    return characterPerByte(`string_agg(${one}, ${sqlSeparator} ORDER BY ${order})`);
  }
}

/** Splits a page into texts. @param all the result of `allSql`; empty if there are no images. */
export const textsOf = (all: string): Texts => (all === '' ? [] : all.split(separator));

/** SQL of the microseconds of an instant since 2000, as 16 hexadecimal digits. */
export const microsecondsSql = (instant: string): string =>
  `encode(timestamptz_send(${instant}), 'hex')`;

const second2000 = 946_684_800;

/**
 * Converts such an instant to seconds since 1970. The microseconds of distant years exceed the
 * precision of a number, so they are read in two halves.
 */
export function secondOf(microseconds: string): number {
  const high = parseInt(microseconds.slice(0, 8), 16) | 0;
  const low = parseInt(microseconds.slice(8), 16);
  return second2000 + high * 4294 + Math.floor((high * 967_296 + low) / 1e6); // 2^32 is 4294967296
}
