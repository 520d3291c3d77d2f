import { instantText } from '../../database/sql.js';
import type { Bind } from '../../database/sql.js';
import type { PagePosition } from './page-cursors.js';

/** How the entries of a folder are sorted. */
export interface SortOrder {
  readonly sortBy: 'created_at' | 'updated_at' | 'name';
  readonly descending: boolean;
}

export interface SortedTable {
  readonly alias: string;
  /** Column with the folder that the rows are in. */
  readonly folder: string;
  /** Column that `name` sorts by. */
  readonly name: string;
}

/**
 * The SQL of a sorted page: its ORDER BY, the sort key, and the condition for starting after one.
 * The folder is in the ORDER BY because `IS NULL` does not tell the planner that it is constant.
 */
export function sortOrderSql(
  { sortBy, descending }: SortOrder,
  { alias, folder, name }: SortedTable,
  { after }: PagePosition,
  bind: Bind,
) {
  const byName = sortBy === 'name';
  const column = `${alias}.${byName ? name : sortBy}`;
  const id = `${alias}.id`;
  const direction = descending ? 'DESC' : 'ASC';
  const key =
    after && `(${bind(after[0])}::${byName ? 'text' : 'timestamptz'}, ${bind(after[1])}::uuid)`;
  return {
    order: [`${alias}.${folder}`, column, id].map((by) => `${by} ${direction}`).join(', '),
    key: `ARRAY[${byName ? column : instantText(column)}, ${id}::text]`,
    from: key ? `AND (${column}, ${id}) ${descending ? '<' : '>'} ${key}` : '',
  };
}
