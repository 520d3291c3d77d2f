import type { DataSource } from 'typeorm';
import type { Queryable } from '../../database/sql.js';
import { prepareDigests, selectColumns, selectDigest, selectSequences } from './upgrade.sql.js';

export interface Compared {
  readonly tables: number;
  readonly rows: number;
  /** A description of each table or sequence that differs. */
  readonly differences: readonly string[];
}

/**
 * Compares every row of two databases, and the values of their sequences. Reads each table once, in
 * both at the same time. Tables and columns that only the original has are not imgstore's.
 */
export async function compareDatabases(from: Queryable, to: DataSource): Promise<Compared> {
  for (const session of [from, to]) await prepareDigests(session);
  const differences: string[] = [];
  let rows = 0;
  const tables = await selectColumns(to);
  for (const table of tables) {
    const [a, b] = await Promise.all([selectDigest(from, table), selectDigest(to, table)]);
    rows += a.rows;
    if (a.rows !== b.rows)
      differences.push(`${table.name} has ${b.rows} rows instead of ${a.rows}`);
    else if (a.digest !== b.digest) differences.push(`rows of ${table.name} differ`);
  }
  const [wanted, found] = await Promise.all([selectSequences(from), selectSequences(to)]);
  for (const [name, value] of found) {
    if (wanted.get(name) !== value) differences.push(`the sequence ${name} differs`);
  }
  return { tables: tables.length, rows, differences };
}
