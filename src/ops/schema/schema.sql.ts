import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** Something that migrations create, other than tables and columns. */
export interface Part {
  readonly kind: 'function' | 'constraint' | 'index' | 'trigger';
  /** Null for a function, which belongs to no table. */
  readonly table: string | null;
  /** For a function, including its arguments. */
  readonly name: string;
  /** As PostgreSQL prints it: a statement, or what follows ADD CONSTRAINT. Has no schema names. */
  readonly definition: string;
}

export interface FoundPart extends Part {
  /** False for an index or constraint that is not enforced or used, and for a disabled trigger. */
  readonly valid: boolean;
}

/** Applies to the transaction: the functions that return definitions lock their tables. */
export const limitLockWait = (tx: Queryable): Promise<unknown> =>
  rows(tx, `SET LOCAL lock_timeout = '1s'`);

/** The parts of the database's schema, in an order in which they can be created. */
export const selectParts = (db: Queryable): Promise<FoundPart[]> =>
  rows(
    db,
    `WITH here AS (
       SELECT oid, quote_ident(nspname) || '.' AS prefix
       FROM pg_namespace WHERE nspname = current_schema()
     ),
     ours AS (
       SELECT c.oid, c.relname AS "table" FROM pg_class c JOIN here ON here.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND NOT EXISTS (
         SELECT FROM pg_depend d
         WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ),
     part AS (
       SELECT 1 AS turn, 'function' AS kind, NULL::name AS "table",
              p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
              pg_get_functiondef(p.oid) AS definition, true AS valid
       FROM pg_proc p JOIN here ON here.oid = p.pronamespace
       WHERE p.prokind = 'f' AND NOT EXISTS (
         SELECT FROM pg_depend d
         WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
       UNION ALL
       SELECT CASE c.contype WHEN 'f' THEN 3 ELSE 2 END, 'constraint', o."table", c.conname,
              pg_get_constraintdef(c.oid), c.convalidated AND coalesce(i.indisvalid, true)
       FROM pg_constraint c JOIN ours o ON o.oid = c.conrelid
       LEFT JOIN pg_index i ON i.indexrelid = c.conindid AND i.indrelid = c.conrelid
       WHERE c.contype IN ('c', 'f', 'p', 'u', 'x')
       UNION ALL
       SELECT 4, 'index', o."table", c.relname, pg_get_indexdef(i.indexrelid),
              i.indisvalid AND i.indisready
       FROM pg_index i JOIN ours o ON o.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid
       WHERE NOT EXISTS (
         SELECT FROM pg_constraint k
         WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
       UNION ALL
       SELECT 5, 'trigger', o."table", t.tgname, pg_get_triggerdef(t.oid), t.tgenabled IN ('A', 'O')
       FROM pg_trigger t JOIN ours o ON o.oid = t.tgrelid
       WHERE NOT t.tgisinternal
     )
     SELECT kind, "table", name, replace(definition, here.prefix, '') AS definition, valid
     FROM part, here
     ORDER BY turn, "table" COLLATE "C", name COLLATE "C"`,
  );
