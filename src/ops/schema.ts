import type { DataSource } from 'typeorm';
import { schema } from '../../migrations/schema.js';
import type { Home } from '../base/config/home.js';
import { badConfiguration, failure } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import type { Logger } from '../base/telemetry/logger.js';
import { forSqlAlone, whileOpen } from '../database/data-source.js';
import { selectBuiltIn } from '../database/postgres/provision.js';
import { column, isAbortedByServer, type Queryable, rows } from '../database/sql.js';
import { notOfExtensions } from './dumps.sql.js';

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

interface FoundPart extends Part {
  /** False for an index or constraint that is not enforced or used, and for a disabled trigger. */
  readonly valid: boolean;
}

/** How a part of the schema differs from what the migrations created. */
export interface SchemaDefect {
  readonly part: Part;
  readonly what: 'missing' | 'invalid' | 'different';
}

/** Compares the database with a freshly migrated one. Anything extra is ignored. */
export async function findSchemaDefects(db: Queryable): Promise<SchemaDefect[]> {
  const found = new Map((await selectParts(db)).map((part) => [keyOf(part), part]));
  return schema.flatMap((part) => {
    const what = compare(part, found.get(keyOf(part)));
    return what ? [{ part, what }] : [];
  });
}

function compare(wanted: Part, found: FoundPart | undefined): SchemaDefect['what'] | undefined {
  if (!found) return 'missing';
  if (!found.valid) return 'invalid';
  // The text of functions differs between PostgreSQL versions.
  return wanted.kind === 'function' || wanted.definition === found.definition
    ? undefined
    : 'different';
}

const keyOf = ({ kind, table, name }: Part): string => `${kind} ${table} ${name}`;

/** "index images_place", for messages. */
export const partName = ({ kind, name }: Part): string => `${kind} ${name}`;

/** Extensions that pg_dump would omit, by name. */
export const extensionsMissingFromDumps = async (db: Queryable): Promise<string[]> =>
  column<string>(db, selectBuiltIn);

/** Names listed in full; the rest are only counted. */
const maxNamed = 5;

interface RequireParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly logger: Logger;
}

/**
 * Verifies that a migrated database has everything the migrations created: an incomplete restore
 * lacks indexes and constraints, and would silently be slow or wrong.
 * @throws OperatorError 78 that names what is missing or invalid.
 */
export async function requireSchema({ db, home, logger }: RequireParts): Promise<void> {
  const defects = await findDefects(db, logger);
  const broken = defects.filter(({ what }) => what !== 'different');
  if (broken.length > 0) {
    const names = broken.slice(0, maxNamed).map(({ part, what }) => `${partName(part)} (${what})`);
    const more = broken.length > maxNamed ? ` and ${broken.length - maxNamed} more` : '';
    throw incomplete(home, `The database is incomplete: ${names.join(', ')}${more}.`);
  }
  const different = defects.map(({ part }) => partName(part));
  if (different.length > 0) logger.warn('not as the migrations created them', { parts: different });
  const extensions = await extensionsMissingFromDumps(db);
  if (extensions.length > 0) logger.warn('pg_dump would omit extensions', { extensions });
}

/**
 * Verifies that rows obey the constraints that a restore creates: without one of them, a backup
 * may not be restorable. @throws OperatorError 78 that names what is missing or invalid.
 */
export async function requireConstraints(db: DataSource, home: Home): Promise<void> {
  const broken = ((await findDefectsUnlessLocked(db)) ?? []).filter(
    ({ part, what }) => part.kind === 'constraint' && what !== 'different',
  );
  if (broken.length === 0) return;
  const names = broken.map(({ part, what }) => `${part.table}.${part.name} (${what})`).join(', ');
  throw incomplete(
    home,
    `A backup might not be restorable, because constraints are not enforced: ${names}.`,
  );
}

const incomplete = (home: Home, message: string) =>
  badConfiguration(message, {
    setting: 'database.url',
    remedy: commandLine('verify', 'accounts', '--repair', '--home', home.dir),
  });

/** A manual repair, which locks a table, must not block startup. */
async function findDefects(db: DataSource, logger: Logger): Promise<SchemaDefect[]> {
  const defects = await findDefectsUnlessLocked(db);
  if (!defects) logger.warn('the schema was not checked: a table is locked');
  return defects ?? [];
}

/** Does not wait for an exclusive lock on a table. @returns undefined if there is one. */
export async function findDefectsUnlessLocked(db: DataSource): Promise<SchemaDefect[] | undefined> {
  try {
    return await db.transaction(async (tx) => {
      await limitLockWait(tx);
      return findSchemaDefects(tx);
    });
  } catch (error) {
    if (!isAbortedByServer(error)) throw error;
    return undefined;
  }
}

/**
 * Recreates missing parts of the schema and revalidates invalid ones, without blocking a running
 * service. A part with the right name but another definition is left alone.
 * @returns the names of what was repaired.
 * @throws OperatorError 1 with the statement that failed.
 */
export const repairSchema = (
  db: DataSource,
  report: (message: string) => void,
): Promise<string[]> =>
  whileOpen(forSqlAlone(db), async (own) => {
    const repaired: string[] = [];
    for (const defect of await findSchemaDefects(own)) {
      const statement = repairStatement(defect);
      if (!statement) continue;
      report(statement);
      await rows(own, statement).catch((cause: unknown) => {
        const { message, detail = '' } = cause as Error & { detail?: string };
        throw failure(`${partName(defect.part)} cannot be repaired: ${message}. ${detail}`.trim(), {
          setting: 'database.url',
          remedy: `fix what prevents it, then run: ${statement};`,
          cause,
        });
      });
      repaired.push(partName(defect.part));
    }
    return repaired;
  });

/** The statement that repairs a defect. */
function repairStatement({ part, what }: SchemaDefect): string | undefined {
  const { kind, table, name, definition } = part;
  if (what === 'different') return undefined;
  const missing = what === 'missing';
  switch (kind) {
    case 'function':
      return definition;
    case 'index':
      return missing
        ? definition.replace(/^CREATE (UNIQUE )?INDEX /, '$&CONCURRENTLY ')
        : `REINDEX INDEX CONCURRENTLY ${name}`;
    case 'constraint':
      if (missing) return `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`;
      return /^(CHECK|FOREIGN KEY)/.test(definition)
        ? `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`
        : `REINDEX INDEX CONCURRENTLY ${name}`;
    case 'trigger':
      return missing ? definition : `ALTER TABLE ${table} ENABLE TRIGGER ${name}`;
  }
}

/** Applies to the transaction: the functions that return definitions lock their tables. */
const limitLockWait = (tx: Queryable): Promise<unknown> =>
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
       WHERE c.relkind IN ('r', 'p') AND ${notOfExtensions('pg_class', 'c')}
     ),
     part AS (
       SELECT 1 AS turn, 'function' AS kind, NULL::name AS "table",
              p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
              pg_get_functiondef(p.oid) AS definition, true AS valid
       FROM pg_proc p JOIN here ON here.oid = p.pronamespace
       WHERE p.prokind = 'f' AND ${notOfExtensions('pg_proc', 'p')}
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
