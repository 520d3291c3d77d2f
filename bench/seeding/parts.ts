import type { DataSource } from 'typeorm';
import { forEachLimited } from '../../src/base/concurrency.js';
import { rows, type Queryable } from '../../src/database/sql.js';

/** A key, an index, or a foreign key, each of which slows down a load row by row. */
export interface Part {
  readonly kind: 'key' | 'index' | 'reference';
  readonly drop: string;
  readonly make: string;
}

/** The parts of these tables, and the foreign keys that reference them, with keys last for dropping. */
export const selectParts = (db: Queryable, tables: readonly string[]): Promise<Part[]> =>
  rows(
    db,
    `SELECT CASE c.contype WHEN 'f' THEN 'reference' ELSE 'key' END AS kind,
            format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname,
                   pg_get_constraintdef(c.oid)) AS make
     FROM pg_constraint c
     WHERE c.conparentid = 0
       AND (c.contype IN ('p', 'u') AND c.conrelid = ANY ($1::regclass[])
            OR c.contype = 'f' AND (c.conrelid = ANY ($1::regclass[]) OR c.confrelid = ANY ($1::regclass[])))
     UNION ALL
     SELECT 'index', format('DROP INDEX %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
     FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY kind DESC, make`,
    [tables],
  );

/** Memory for each of two sessions, as many as can sort at the same time on a small machine. */
const memory = `SET LOCAL maintenance_work_mem = '1GB'`;
const sessions = 2;

/** Keys first, since foreign keys need them, and creating a key locks out the creation of other parts. */
const turns: readonly Part['kind'][] = ['key', 'index', 'reference'];

/** Inverted indexes take longest: they begin first, so none is left for the end. */
const slowFirst = (a: Part, b: Part): number =>
  Number(b.make.includes(' USING gi')) - Number(a.make.includes(' USING gi'));

export async function makeParts(db: DataSource, parts: readonly Part[]): Promise<void> {
  for (const turn of turns) {
    const its = parts.filter(({ kind }) => kind === turn).toSorted(slowFirst);
    await forEachLimited(its, sessions, ({ make }) =>
      db.transaction(async (tx) => {
        await tx.query(memory);
        await tx.query(make);
      }),
    );
  }
}
