import { schema } from '../../../migrations/schema.js';
import { selectBuiltIn } from '../../database/postgres/provision.js';
import { rows, type Queryable } from '../../database/sql.js';
import { selectParts, type FoundPart, type Part } from './schema.sql.js';

/** How a part of the schema differs from what the migrations created. */
export interface SchemaDefect {
  readonly part: Part;
  readonly what: 'missing' | 'invalid' | 'different';
}

const keyOf = ({ kind, table, name }: Part): string => `${kind} ${table} ${name}`;

/** "index images_place", for messages. */
export const partName = ({ kind, name }: Part): string => `${kind} ${name}`;

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

/** Extensions that pg_dump would omit, by name. */
export const extensionsMissingFromDumps = async (db: Queryable): Promise<string[]> =>
  (await rows<{ name: string }>(db, selectBuiltIn)).map(({ name }) => name);
