import assert from 'node:assert/strict';
import type { DataSource, EntityMetadata } from 'typeorm';
import { rows, type Queryable } from '../src/database/sql.js';
import { selectParts, type Part } from '../src/ops/schema.js';

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

/**
 * Tables without an entity: TypeORM manages that of migrations itself, and only nodes of version 0.2
 * write where walks through lists ended.
 */
const others: readonly (string | null)[] = ['migrations', 'walks'];
const ours = ({ table }: { table: string | null }): boolean => !others.includes(table);

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

const constraintLine = (table: string, name: string, definition: string): string =>
  `constraint ${table} ${name} ${definition}`;

const indexLine = (i: {
  table: string;
  name: string;
  columns: readonly string[];
  unique: boolean;
  gist: boolean;
  where: string | undefined;
}): string =>
  `${i.unique ? 'unique ' : ''}index ${i.table} ${i.name} ${i.gist ? 'gist ' : ''}` +
  `(${i.columns.join(', ')})${i.where === undefined ? '' : ` WHERE ${i.where}`}`;

/**
 * Order, operators, functions and carried columns of an index are in migrations/schema.ts alone.
 */
function indexFound({ table, name, definition }: Part): string {
  const found =
    /^CREATE (UNIQUE )?INDEX \w+ ON \w+ USING (\w+) \((.*?)\)(?: INCLUDE \(.*?\))?(?: WITH \(.*?\))?(?: NULLS NOT DISTINCT)?(?: WHERE \((.*)\))?$/.exec(
      definition,
    );
  assert.ok(found, definition);
  const [, unique, method, columns = '', where] = found;
  return indexLine({
    table: String(table),
    name,
    columns: columns.split(', ').map((column) => column.replace(/^\w+\(|[ )].*/g, '')),
    unique: unique !== undefined,
    gist: method === 'gist',
    where,
  });
}

const partsFound = async (db: Queryable): Promise<string[]> =>
  (await selectParts(db)).filter(ours).flatMap((part) => {
    if (part.kind === 'constraint')
      return [constraintLine(String(part.table), part.name, part.definition)];
    return part.kind === 'index' ? [indexFound(part)] : [];
  });

function fallbackOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'function') return String((value as () => unknown)());
  return typeof value === 'string' ? `'${value}'::text` : JSON.stringify(value);
}

const names = (columns: readonly { databaseName: string }[]): string =>
  columns.map(({ databaseName }) => databaseName).join(', ');

/** The columns, indexes and keys that an entity declares. */
function described(db: DataSource, entity: EntityMetadata): string[] {
  const table = entity.tableName;
  const point = ({ spatialFeatureType, srid }: EntityMetadata['columns'][number]): string =>
    spatialFeatureType ? `(${spatialFeatureType},${srid})` : '';
  const action = (onDelete = 'NO ACTION'): string =>
    onDelete === 'NO ACTION' ? '' : ` ON DELETE ${onDelete}`;
  return [
    ...entity.columns.map((c) =>
      columnLine({
        table,
        name: c.databaseName,
        type: db.driver.normalizeType(c) + point(c) + (c.isArray ? '[]' : ''),
        nullable: c.isNullable,
        fallback: fallbackOf(c.default),
        made: c.isGenerated ? 'IDENTITY' : c.isInsert ? null : 'STORED',
        collation: c.collation ?? null,
      }),
    ),
    constraintLine(table, `${table}_pkey`, `PRIMARY KEY (${names(entity.primaryColumns)})`),
    ...entity.uniques.map((u) => constraintLine(table, u.name, `UNIQUE (${names(u.columns)})`)),
    ...entity.checks.map((c) => constraintLine(table, c.name, `CHECK (${c.expression})`)),
    ...entity.foreignKeys.map((f) =>
      constraintLine(
        table,
        f.name,
        `FOREIGN KEY (${names(f.columns)}) REFERENCES ` +
          `${f.referencedTablePath}(${names(f.referencedColumns)})${action(f.onDelete)}`,
      ),
    ),
    ...entity.indices.map((i) =>
      indexLine({
        table,
        name: i.name,
        columns: i.columns.map(({ databaseName }) => databaseName),
        unique: i.isUnique,
        gist: i.isSpatial,
        where: i.where,
      }),
    ),
  ];
}

/** The differences: `-` only in the database, `+` only in the entities. */
export async function differences(db: DataSource, session: Queryable = db): Promise<string[]> {
  const wanted = new Set(db.entityMetadatas.flatMap((entity) => described(db, entity)));
  const found = new Set([...(await columnsFound(session)), ...(await partsFound(session))]);
  return [
    ...[...found].filter((line) => !wanted.has(line)).map((line) => `- ${line}`),
    ...[...wanted].filter((line) => !found.has(line)).map((line) => `+ ${line}`),
  ].sort();
}
