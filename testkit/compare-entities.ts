import type { DataSource, EntityMetadata } from 'typeorm';
import { rows, type Queryable } from '../src/database/sql.js';

/** Columns as `table.column type`, with their other properties. */
const columnLine = (c: {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  fallback: string | null;
  made: string | null;
  collation: string | null;
}): string =>
  [
    `column ${c.table}.${c.name} ${c.type}`,
    c.nullable ? 'NULL' : 'NOT NULL',
    c.fallback === null ? '' : `DEFAULT ${c.fallback}`,
    c.made ?? '',
    c.collation === null ? '' : `COLLATE ${c.collation}`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** Tables without an entity: TypeORM manages that of migrations itself. */
const ours = ({ table }: { table: string }): boolean => table !== 'migrations';

/** The columns of all tables except those of extensions. */
export const columnsFound = async (db: Queryable): Promise<string[]> =>
  (
    await rows<Parameters<typeof columnLine>[0]>(
      db,
      `SELECT c.relname AS "table", a.attname AS name,
              format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
              CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS fallback,
              CASE WHEN a.attgenerated = 's' THEN 'STORED' WHEN a.attidentity = 'a' THEN 'IDENTITY'
              END AS made,
              (SELECT l.collname FROM pg_collation l JOIN pg_type t ON t.oid = a.atttypid
               WHERE l.oid = a.attcollation AND l.oid <> t.typcollation) AS collation
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
         AND a.attnum > 0 AND NOT a.attisdropped
         AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e')`,
    )
  )
    .filter(ours)
    .map(columnLine);

function fallbackOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'function') return String((value as () => unknown)());
  return typeof value === 'string' ? `'${value}'::text` : JSON.stringify(value);
}

/** The columns that an entity declares. */
function described(db: DataSource, entity: EntityMetadata): string[] {
  const point = ({ spatialFeatureType, srid }: EntityMetadata['columns'][number]): string =>
    spatialFeatureType ? `(${spatialFeatureType},${srid})` : '';
  return entity.columns.map((c) =>
    columnLine({
      table: entity.tableName,
      name: c.databaseName,
      type: db.driver.normalizeType(c) + point(c) + (c.isArray ? '[]' : ''),
      nullable: c.isNullable,
      fallback: fallbackOf(c.default),
      made: c.isGenerated ? 'IDENTITY' : c.isInsert ? null : 'STORED',
      collation: c.collation ?? null,
    }),
  );
}

/** The differences: `-` only in the database, `+` only in the entities. */
export async function differences(db: DataSource, session: Queryable = db): Promise<string[]> {
  const wanted = new Set(db.entityMetadatas.flatMap((entity) => described(db, entity)));
  const found = new Set(await columnsFound(session));
  return [
    ...[...found].filter((line) => !wanted.has(line)).map((line) => `- ${line}`),
    ...[...wanted].filter((line) => !found.has(line)).map((line) => `+ ${line}`),
  ].sort();
}
