import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { failure } from '../../base/errors/operator.js';
import { forSqlAlone } from '../../database/data-source.js';
import { migrate } from '../../database/migrations.js';
import {
  dumpDatabase,
  outputOf,
  runScript,
  type DumpPrograms,
} from '../../database/postgres/dump-programs.js';
import { ensureExtensions } from '../../database/postgres/provision.js';
import { resetTimeout, selectTargetSchema, setSequence, type TargetSchema } from '../dumps.sql.js';

/** Rows of one table in the text format of COPY; must be read before the next item. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lines: AsyncIterable<Buffer>;
}

export interface SequenceValue {
  readonly sequence: string;
  readonly value: bigint;
  readonly called: boolean;
}

export interface RowSource {
  /** The migrations that the rows belong to. */
  readonly migrations: readonly string[];
  readonly items: () => AsyncIterable<TableRows | SequenceValue>;
}

export interface LoadParts {
  readonly programs: DumpPrograms;
  /** The data source of the target, of which only the options are used. */
  readonly target: DataSource;
  readonly url: string;
  readonly source: RowSource;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** What the source has that the schema of imgstore does not: nothing of it is loaded. */
export type LeftBehind = readonly string[];

export function namedLeft(left: LeftBehind, report: (message: string) => void): void {
  if (left.length > 0) report(`Left out, since it is not imgstore's: ${left.join(', ')}`);
}

/**
 * Loads rows into a database without rows, either all of them or none. The tables, functions, and
 * triggers are those that the migrations of this program create, so that nothing in a dump is ever
 * executed, and extensions may be in another schema than they were in.
 */
export async function loadRows(parts: LoadParts): Promise<LeftBehind> {
  const { programs, target, url, source, folder, signal } = parts;
  await ensureExtensions(url);
  const own = only(target, source.migrations);
  await migrate(own, () => undefined);
  const left: string[] = [];
  const db = await forSqlAlone(own).initialize();
  const work = await mkdtemp(join(folder, 'rows-'));
  try {
    const schema = await selectTargetSchema(db);
    const skeleton = await skeletonOf({ programs, url, schema: schema.name, folder: work });
    const script = scriptOf(source, schema, skeleton, left);
    await runScript({ programs, url, signal }, script, 'loading rows');
  } finally {
    await db.destroy();
    await rm(work, { recursive: true, force: true });
  }
  return left;
}

async function* scriptOf(
  source: RowSource,
  schema: TargetSchema,
  { before, after }: Skeleton,
  left: string[],
): AsyncGenerator<Buffer | string> {
  yield `BEGIN;\n${schema.drops.join('\n')}\n${before}\n`;
  for await (const item of source.items()) {
    if (!('sequence' in item)) yield* copyOf(item, schema, left);
    else if (schema.sequences.has(item.sequence)) yield setSequence(schema, item);
  }
  yield `${after}\nCOMMIT;\n`;
}

/** Its name is that of a table of ours, and so are those of the columns: they need no quotes. */
async function* copyOf(
  { table, columns, lines }: TableRows,
  schema: TargetSchema,
  left: string[],
): AsyncGenerator<Buffer | string> {
  const ours = schema.tables.get(table);
  const known = columns.filter((name) => ours?.has(name));
  if (!ours) {
    for await (const ignored of lines) void ignored;
    // Belongs to PostGIS, which fills it.
    if (table !== 'spatial_ref_sys') left.push(table);
    return;
  }
  left.push(...columns.filter((name) => !ours.has(name)).map((name) => `${table}.${name}`));
  const names = known.map((name) => `"${name}"`).join(', ');
  yield `COPY ${schema.name}."${table}" (${names}) FROM stdin;\n`;
  yield* known.length === columns.length ? lines : onlyKnown(lines, columns, ours);
  yield '\\.\n';
}

async function* onlyKnown(
  lines: AsyncIterable<Buffer>,
  columns: readonly string[],
  ours: ReadonlySet<string>,
): AsyncGenerator<Buffer> {
  const isKnown = columns.map((name) => ours.has(name));
  for await (const chunk of lines) {
    const kept = chunk
      .toString('latin1')
      .split('\n')
      .map((line) =>
        line
          .split('\t')
          .filter((_, at) => isKnown[at])
          .join('\t'),
      );
    yield Buffer.from(kept.join('\n'), 'latin1');
  }
}

/** The same database, for a program that has only some of the migrations. */
function only({ options }: DataSource, names: readonly string[]): DataSource {
  const all = (options.migrations ?? []) as (new () => { readonly name: string })[];
  const migrations = all.filter((one) => names.includes(new one().name));
  const unknown = names.length - migrations.length;
  if (unknown === 0) return new DataSource({ ...options, migrations });
  throw failure(`The dump has ${unknown} migrations that this program does not know.`, {
    remedy: 'Restore it with the imgstore that made it, or a newer one.',
  });
}

interface Skeleton {
  /** Statements that create tables and functions. */
  readonly before: string;
  /** Statements that create indexes, constraints, and triggers, once the rows are there. */
  readonly after: string;
}

/** A statement of pg_restore; an older server may not have the setting. */
const timeout = /^SET (\w+_timeout) = 0;$/gm;

/** Entries that exist already. */
const given = /^\d+; \d+ \d+ (?:SCHEMA|COMMENT - SCHEMA) /;

async function skeletonOf(of: {
  readonly programs: DumpPrograms;
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
}): Promise<Skeleton> {
  const { programs, folder } = of;
  const [file, list] = [join(folder, 'skeleton.dump'), join(folder, 'skeleton.list')];
  await dumpDatabase({ ...of, file, withoutRows: true });
  const said = await outputOf(programs, ['--list', file]);
  await writeFile(
    list,
    said
      .split('\n')
      .filter((line) => !given.test(line))
      .join('\n'),
  );
  const section = async (name: string): Promise<string> => {
    const args = ['--file=-', '--no-owner', `--use-list=${list}`, `--section=${name}`, file];
    return (await outputOf(programs, args)).replace(timeout, (_, name: string) =>
      resetTimeout(name),
    );
  };
  return { before: await section('pre-data'), after: await section('post-data') };
}
