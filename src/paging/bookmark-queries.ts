import { nameList, namesOf, only, without } from '../database/columns.js';
import { cursorColumns } from './entity.js';

const noted = without(cursorColumns, 'notedAt');
const pageOfWalk = only(cursorColumns, 'id', 'lastIndex');
const replaced = namesOf(without(cursorColumns, 'id', 'lastIndex'));

/**
 * Notes the end of a page, as a statement or a part of one.
 * @param source VALUES or a query of the columns in `noted`, in their order.
 */
export const noteSql = (source: string): string => `
  INSERT INTO walks (${nameList(noted)}) ${source}
  ON CONFLICT (${nameList(pageOfWalk)}) DO UPDATE
  SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/**
 * The same within the statement that finds the page.
 * @param at placeholders of the bookmark's `list` and `index`.
 * @param count SQL of the number of items in the page.
 * @param from follows FROM: a row with `key`, `items` and `bytes`.
 */
export const noteEndSql = (
  at: { readonly list: string; readonly index: string },
  count: string,
  from: string,
): string =>
  noteSql(
    `SELECT ${at.list}::bytea, ${at.index}::integer + ${count}, key, items, bytes FROM ${from}`,
  );
