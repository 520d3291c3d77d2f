import { rows, type Queryable } from '../../database/sql.js';

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
