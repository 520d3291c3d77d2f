import type { DataSource } from 'typeorm';
import { forEachLimited } from '../../src/concurrency.js';
import { rows } from '../../src/database/sql.js';
import type { Queryable } from '../../src/database/sql.js';

/** A key, an index, or a foreign key: all that slows a load down row by row. */
export interface Part {
  readonly kind: 'key' | 'index' | 'reference';
  readonly drop: string;
  readonly make: string;
}

/** The parts of these tables, and the foreign keys that refer to them. Keys come last to be dropped. */
export const selectParts = (db: Queryable, tables: readonly string[]): Promise<Part[]> =>
  rows(
    db,
    `SELECT CASE c.contype WHEN 'f' THEN 'reference' ELSE 'key' END AS kind,
            format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname,
                   pg_get_constraintdef(c.oid)) AS make
     FROM pg_constraint c
     WHERE c.contype IN ('p', 'u') AND c.conrelid = ANY ($1::regclass[])
        OR c.contype = 'f' AND (c.conrelid = ANY ($1::regclass[]) OR c.confrelid = ANY ($1::regclass[]))
     UNION ALL
     SELECT 'index', format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
     FROM pg_index i
     WHERE i.indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY kind DESC, make`,
    [tables],
  );

/** Of each of two sessions: as many as sort at once on a small machine. */
const memory = `SET LOCAL maintenance_work_mem = '1GB'`;
const sessions = 2;

/** Keys first, since they lock out whatever else is made; references need them. */
const turns: readonly Part['kind'][] = ['key', 'index', 'reference'];

/** Inverted indexes take longest: they begin first, so that none is left over. */
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
