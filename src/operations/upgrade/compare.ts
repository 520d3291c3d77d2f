import type { DataSource } from 'typeorm';
import type { Queryable } from '../../database/sql.js';
import { prepareDigests, selectDigest, selectSequences } from './queries.js';

export interface Compared {
  readonly tables: number;
  readonly rows: number;
  /** A description of each table or sequence that differs. */
  readonly differences: readonly string[];
}

/**
 * Compares every row of two databases, and the values of their sequences. Reads each table once, in
 * both at the same time. @param tables those of the original, as in SQL.
 */
export async function compareDatabases(
  from: Queryable,
  to: DataSource,
  tables: readonly string[],
): Promise<Compared> {
  for (const session of [from, to]) await prepareDigests(session);
  const differences: string[] = [];
  let rows = 0;
  for (const table of tables) {
    const [a, b] = await Promise.all([selectDigest(from, table), selectDigest(to, table)]);
    rows += a.rows;
    if (a.rows !== b.rows) differences.push(`${table} has ${b.rows} rows instead of ${a.rows}`);
    else if (a.digest !== b.digest) differences.push(`rows of ${table} differ`);
  }
  const [wanted, found] = await Promise.all([selectSequences(from), selectSequences(to)]);
  for (const [name, value] of wanted) {
    if (found.get(name) !== value) differences.push(`the sequence ${name} differs`);
  }
  return { tables: tables.length, rows, differences };
}
