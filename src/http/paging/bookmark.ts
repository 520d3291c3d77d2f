/** Where the end of a page is recorded. */
export interface Bookmark {
  /** The caller, and a digest of the token and of the list's parameters. */
  readonly list: Buffer;
  /** Index of the page's first item. */
  readonly index: number;
}

export { keyBefore, noteEndSql } from './cursor.sql.js';
export type { BookmarkSql } from './cursor.sql.js';
