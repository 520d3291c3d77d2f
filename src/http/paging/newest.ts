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

/** Rows whose images are in memory at once: each may name a hundred thousand. */
const atOnce = 50;

/** Listed holds or links with the images that they name, a few at a time. */
export async function* withNamedImages<Row extends { readonly id: string }, Item>(
  db: Queryable,
  table: 'holds' | 'links',
  listed: readonly Row[],
  item: (row: Row & { readonly imageIds: string[] | null }) => Item,
): AsyncGenerator<Item[]> {
  for (let at = 0; at < listed.length; at += atOnce) {
    const some = listed.slice(at, at + atOnce);
    const found = await rows<{ readonly id: string; readonly imageIds: string[] | null }>(
      db,
      `SELECT id, image_ids AS "imageIds" FROM ${table} WHERE id = ANY ($1::uuid[])`,
      [some.map(({ id }) => id)],
    );
    const imagesOf = new Map(found.map(({ id, imageIds }) => [id, imageIds]));
    yield some.map((row) => item({ ...row, imageIds: imagesOf.get(row.id) ?? null }));
  }
}
