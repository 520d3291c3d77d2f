import { instantText, onlyValue, parameters, rows, type Queryable } from '../../database/sql.js';
import type { ListSource } from './pages.js';

/**
 * What an owner has of a table, newest first.
 * @param from the table as `t`, with the condition; `$1` is the owner.
 */
export const newestOf = <Row>(
  db: Queryable,
  owner: string,
  { columns, from }: { readonly columns: string; readonly from: string },
): ListSource<Row & { readonly sortKey: readonly string[] }> => ({
  rows: ({ after, offset }, limit) => {
    const { values, bind } = parameters(owner);
    const earlier = after
      ? `AND (t.created_at, t.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
      : '';
    return rows(
      db,
      `SELECT ${columns}, ARRAY[${instantText('t.created_at')}, t.id::text] AS "sortKey"
       FROM ${from} ${earlier}
       ORDER BY t.created_at DESC, t.id DESC OFFSET ${bind(offset)} LIMIT ${bind(limit)}`,
      values,
    );
  },
  totals: async () => {
    const items = await onlyValue<number>(db, `SELECT count(*)::int AS items FROM ${from}`, [
      owner,
    ]);
    return { items, bytes: 0 };
  },
});
