import { characterPerByte } from '../database/json-text.js';

/** Stands between the texts of a page; neither JSON nor what else is read as text ever contains it. */
const separator = '\u0001';
const sqlSeparator = `E'\\x01'`;

/** The texts of a page: those of its first image, of its second, and so on. */
export type Texts = readonly string[];

/**
 * What a page reads of each image, as text: PostgreSQL writes values faster than objects, and takes
 * a third of the time that it would for whole records, whose names are the same for each image.
 */
export class TextColumns {
  readonly #sql: string[] = [];

  /**
   * Adds a text unless it is there.
   * @param sql not null.
   * @returns its place among those of an image.
   */
  place(sql: string): number {
    const known = this.#sql.indexOf(sql);
    return known < 0 ? this.#sql.push(sql) - 1 : known;
  }

  get count(): number {
    return this.#sql.length;
  }

  /**
   * The texts of all images, as SQL: a character for each byte of UTF-8.
   * @param besides texts after those of every image, not null.
   */
  allSql(order: string, besides: readonly string[]): string {
    const one = `concat_ws(${sqlSeparator}, ${[...this.#sql, ...besides].join(', ')})`;
    return characterPerByte(`string_agg(${one}, ${sqlSeparator} ORDER BY ${order})`);
  }
}

/** @param all what `allSql` selects; empty if there are no images. */
export const textsOf = (all: string): Texts => (all === '' ? [] : all.split(separator));

/** SQL of the microseconds of an instant since 2000, as 16 hexadecimal digits. */
export const microsecondsSql = (instant: string): string =>
  `encode(timestamptz_send(${instant}), 'hex')`;

const second2000 = 946_684_800;

/**
 * The second since 1970 in which such an instant is. The microseconds of distant years are more than
 * a number holds, hence in two halves.
 */
export function secondOf(microseconds: string): number {
  const high = parseInt(microseconds.slice(0, 8), 16) | 0;
  const low = parseInt(microseconds.slice(8), 16);
  return second2000 + high * 4294 + Math.floor((high * 967_296 + low) / 1e6); // 2^32 is 4294967296
}
