import { schema } from '../../migrations/schema.js';
import { dropOpenUploads } from '../library/resumable/upkeep.js';
import { column, onlyRow, onlyValue, type Queryable, row, rows, value } from '../database/sql.js';

/** Lifts the limits that a server sets for sessions, which would end a snapshot early. */
export async function liftLimits(session: Queryable): Promise<void> {
  await rows(
    session,
    `SELECT set_config(name, '0', false) FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                    'idle_session_timeout', 'transaction_timeout')`,
  );
}

/** Whether no extension has created an object. @param alias of its row in the catalog. */
export const notOfExtensions = (catalog: string, alias = 'o'): string =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass
                 AND d.objid = ${alias}.oid AND d.deptype = 'e')`;

interface SnapshotDetails {
  /** Lets another session use the same snapshot. */
  readonly snapshot: string;
  readonly takenAt: Date;
  /** Version number of the server, such as 150014. */
  readonly server: number;
  /** Schema of the tables. */
  readonly schema: string;
  /** How many objects the rows reference. */
  readonly objects: number;
}

/** How many objects versions have: the original, the thumbnail, and those that not all have. */
const objectCount = '(2 * count(*) + count(display_extension) + count(full_extension))::int';

/**
 * Must run in a transaction that keeps one snapshot. @param platformId whose objects are counted.
 */
export const selectSnapshot = (
  tx: Queryable,
  platformId: string | null,
): Promise<SnapshotDetails> =>
  onlyRow(
    tx,
    `SELECT pg_export_snapshot() AS snapshot, now() AS "takenAt",
            current_setting('server_version_num')::int AS server,
            (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'images'::regclass)
              AS schema,
            (SELECT ${objectCount} FROM image_versions
             WHERE $1::uuid IS NULL OR platform_id = $1) AS objects`,
    [platformId],
  );

/** How many objects the rows reference. */
export const countObjects = (db: Queryable): Promise<number> =>
  onlyValue(db, `SELECT ${objectCount} AS objects FROM image_versions`);

/** Those of the versions that exist. */
export const selectExistingVersions = async (
  db: Queryable,
  ids: readonly (string | null)[],
): Promise<Set<string>> =>
  new Set(
    await column<string>(db, 'SELECT id FROM image_versions WHERE id = ANY ($1::uuid[])', [ids]),
  );

/** The schema of the tables, as in SQL. */
export async function selectSchemaName(db: Queryable): Promise<string> {
  return (await value<string>(db, 'SELECT quote_ident(current_schema()) AS name')) ?? 'public';
}

export const selectMigrationNames = (db: Queryable): Promise<string[]> =>
  column(db, 'SELECT name FROM migrations ORDER BY id');

/** Fails once the session has ended. */
export const pingSession = (session: Queryable): Promise<unknown> => rows(session, 'SELECT');

/**
 * Whether a database has tables, other than those of extensions, and those without rows that an
 * interrupted restore leaves.
 */
export async function holdsTables(db: Queryable): Promise<boolean> {
  const ours = [...new Set(schema.map(({ table }) => table)), 'migrations'];
  const found = await row<{ tables: boolean; others: boolean; began: boolean }>(
    db,
    `SELECT count(*) > 0 AS tables, to_regclass('instance') IS NOT NULL AS began,
            count(*) FILTER (WHERE c.relnamespace IS DISTINCT FROM current_schema()::regnamespace
                               OR c.relname <> ALL ($1::text[])) > 0 AS others
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND ${notOfExtensions('pg_class', 'c')}`,
    [ours],
  );
  if (!found?.tables || found.others) return found?.tables === true;
  // A kill between two migrations may leave the first tables without the last.
  return found.began && (await row(db, 'SELECT FROM instance')) !== undefined;
}

/**
 * Makes a restored installation have all objects in one store. Open uploads are dropped, since backups
 * do not have what has arrived of them.
 */
export async function settleStore(db: Queryable, store: string): Promise<void> {
  await dropOpenUploads(db);
  await rows(
    db,
    `UPDATE instance SET store = $1, second_store = NULL, moving = false, moved_up_to = NULL,
                         move_started_at = NULL`,
    [store],
  );
}

/** A restored database has no statistics, which the query planner needs. */
export const analyze = (db: Queryable): Promise<unknown> => rows(db, 'ANALYZE');

/** A table, and which of its rows belong to one platform. */
export interface TableOfPlatform {
  readonly name: string;
  /** As in SQL. */
  readonly table: string;
  /** All that can be written. */
  readonly columns: readonly string[];
  /** The condition; null for a table whose rows belong to no platform. */
  readonly condition: string | null;
}

/** Tables that describe the installation as a whole; the dump of a platform has all their rows. */
const wholeTables = [
  'instance',
  'signing_keys',
  'migrations',
  'feed_clock',
  'stats_roll_up',
  'content_rounds',
] as const;

/** Every other table of a schema. @param platformId a UUID. */
export async function selectTablesOfPlatform(
  tx: Queryable,
  schema: string,
  platformId: string,
): Promise<TableOfPlatform[]> {
  const tables = await rows<{ name: string; columns: string[] }>(
    tx,
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = $1::regnamespace AND a.attnum > 0
       AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL ($2::text[])
       AND ${notOfExtensions('pg_class', 'c')}
     GROUP BY c.oid, c.relname ORDER BY c.relname`,
    [schema, [...wholeTables]],
  );
  return tables.map(({ name, columns }) => {
    const conditions = conditionsOf(schema, name, columns, platformId);
    const condition = conditions.length > 0 ? conditions.join(' OR ') : null;
    return { name, table: `${schema}.${name}`, columns, condition };
  });
}

function conditionsOf(
  schema: string,
  name: string,
  columns: readonly string[],
  platformId: string,
): string[] {
  if (name === 'platforms') return [`id = '${platformId}'`];
  const of = (table: string): string =>
    `IN (SELECT id FROM ${schema}.${table} WHERE platform_id = '${platformId}')`;
  return [
    ...(columns.includes('platform_id') ? [`platform_id = '${platformId}'`] : []),
    ...(columns.includes('user_id') ? [`user_id ${of('users')}`] : []),
    ...(columns.includes('image_id') && !columns.includes('user_id')
      ? [`image_id ${of('images')}`]
      : []),
  ];
}

export interface TargetSchema {
  /** As in SQL, like the other names. */
  readonly name: string;
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sequences: ReadonlySet<string>;
  /** Statements that drop everything that the migrations created. */
  readonly drops: readonly string[];
}

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
  const sequences = await column<string>(
    db,
    'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()',
  );
  return {
    name: await selectSchemaName(db),
    tables: new Map(tables.map(({ name, columns }) => [name, new Set(columns)])),
    sequences: new Set(sequences),
    drops: await column<string>(
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
    ),
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
