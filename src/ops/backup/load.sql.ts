import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { selectSchemaName } from '../dumps.sql.js';

export interface TargetSchema {
  /** As in SQL, like the other names. */
  readonly name: string;
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sequences: ReadonlySet<string>;
  /** Statements that drop everything that the migrations created. */
  readonly drops: readonly string[];
}

const notOfExtensions = (catalog: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass
                 AND d.objid = o.oid AND d.deptype = 'e')`;

/** What the migrations of imgstore have created, and nothing else may be in. */
export async function selectTargetSchema(db: Queryable): Promise<TargetSchema> {
  const tables = await rows<{ name: string; columns: string[] }>(
    db,
    `SELECT o.relname AS name, array_agg(a.attname::text) AS columns
     FROM pg_class o JOIN pg_attribute a ON a.attrelid = o.oid
     WHERE o.relkind = 'r' AND o.relnamespace = current_schema()::regnamespace AND a.attnum > 0
       AND NOT a.attisdropped AND a.attgenerated = '' AND ${notOfExtensions('pg_class')}
     GROUP BY o.relname`,
  );
  const sequences = await rows<{ name: string }>(
    db,
    'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()',
  );
  const drops = await rows<{ statement: string }>(
    db,
    `WITH made AS (
       SELECT 1 AS turn, 'pg_class'::regclass AS catalog, o.oid FROM pg_class o
       WHERE o.relkind = 'r' AND o.relnamespace = current_schema()::regnamespace
         AND pg_has_role(o.relowner, 'USAGE') AND ${notOfExtensions('pg_class')}
       UNION ALL
       SELECT 2, 'pg_proc', o.oid FROM pg_proc o
       WHERE o.pronamespace = current_schema()::regnamespace
         AND pg_has_role(o.proowner, 'USAGE') AND ${notOfExtensions('pg_proc')}
       UNION ALL
       SELECT 3, 'pg_type', o.oid FROM pg_type o
       LEFT JOIN pg_class c ON c.oid = o.typrelid
       WHERE o.typnamespace = current_schema()::regnamespace AND o.typcategory <> 'A'
         AND (o.typrelid = 0 OR c.relkind = 'c') AND pg_has_role(o.typowner, 'USAGE')
         AND ${notOfExtensions('pg_type')}
       UNION ALL
       SELECT 4, 'pg_collation', o.oid FROM pg_collation o
       WHERE o.collnamespace = current_schema()::regnamespace
         AND pg_has_role(o.collowner, 'USAGE')
     )
     SELECT format('DROP %s IF EXISTS %s CASCADE;', i.type, i.identity) AS statement
     FROM made, pg_identify_object(made.catalog, made.oid, 0) AS i ORDER BY made.turn`,
  );
  return {
    name: await selectSchemaName(db),
    tables: new Map(tables.map(({ name, columns }) => [name, new Set(columns)])),
    sequences: new Set(sequences.map(({ name }) => name)),
    drops: drops.map(({ statement }) => statement),
  };
}

/** @param sequence one of the schema. */
export const setSequence = (
  { name }: TargetSchema,
  { sequence, value, called }: { sequence: string; value: bigint; called: boolean },
): string => `SELECT pg_catalog.setval('${name}.${sequence}', ${value}, ${called});\n`;

/** Sets a timeout to none, if the server has it. @param name a word. */
export const resetTimeout = (name: string): string => `
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = '${name}';`;
