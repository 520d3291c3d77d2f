import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { before as former } from '../../../migrations/index.js';
import { failure } from '../../base/errors/operator.js';
import { bytesPerMegabyte } from '../../base/units.js';
import { forSqlAlone } from '../../database/data-source.js';
import { lineageOf, migrate, migrationNames, olderThanFormer } from '../../database/migrations.js';
import {
  dumpDatabase,
  outputOf,
  runScript,
  streamOf,
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

interface LoadParts {
  readonly programs: DumpPrograms;
  /** The data source of the target, of which only the options are used. */
  readonly target: DataSource;
  readonly url: string;
  readonly source: RowSource;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly report: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Loads rows into a database without rows, either all of them or none. The tables, functions, and
 * triggers are those that the migrations of this program create, so that nothing in a dump is ever
 * executed, and extensions may be in another schema than they were in. What the source has that
 * the schema of imgstore does not is left out.
 */
export async function loadRows(parts: LoadParts): Promise<void> {
  const { programs, target, url, source, folder, report, signal } = parts;
  await ensureExtensions(url);
  const { own, fresh } = sourceFor(target, source.migrations);
  await migrate(own, () => undefined);
  const left: string[] = [];
  const db = await forSqlAlone(own).initialize();
  const work = await mkdtemp(join(folder, 'rows-'));
  try {
    const schema = await selectTargetSchema(db);
    const skeleton = await skeletonOf({ programs, url, schema: schema.name, folder: work });
    const script = scriptOf(source, schema, skeleton, left, fresh);
    await runScript({ programs, url, signal }, script, 'loading rows');
  } finally {
    await db.destroy();
    await rm(work, { recursive: true, force: true });
  }
  const foreign = left.filter((name) => fresh.length === 0 || !notTaken.has(name));
  if (foreign.length > 0) report(`Left out, since it is not imgstore's: ${foreign.join(', ')}`);
}

async function* scriptOf(
  source: RowSource,
  schema: TargetSchema,
  { before, after }: Skeleton,
  left: string[],
  fresh: readonly string[],
): AsyncGenerator<Buffer | string> {
  yield `BEGIN;\n${schema.drops.join('\n')}\n${before}\n`;
  for (const name of fresh) yield recordMigration(schema.name, name);
  for await (const item of source.items()) {
    if ('table' in item && fresh.length > 0 && notTaken.has(item.table)) await skip(item);
    else if (!('sequence' in item)) yield* copyOf(item, schema, left);
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
    await skip({ lines });
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

/** What of 0.3.0 has no place in the schema of today. */
const notTaken: ReadonlySet<string> = new Set([...former.dropped, 'migrations']);

async function skip({ lines }: Pick<TableRows, 'lines'>): Promise<void> {
  for await (const ignored of lines) void ignored;
}

/** Its name is one of ours. */
const recordMigration = (schema: string, name: string): string =>
  `INSERT INTO ${schema}.migrations (timestamp, name) VALUES (${Number(name.slice(-13))}, '${name}');\n`;

/**
 * The database for a program that has the migrations that rows belong to. Rows of 0.3.0 go into the schema
 * of today, whose migrations are `fresh` then: everything else of theirs has a place in it.
 */
function sourceFor(
  { options }: DataSource,
  names: readonly string[],
): { own: DataSource; fresh: readonly string[] } {
  const all = (options.migrations ?? []) as (new () => { readonly name: string })[];
  const lineage = lineageOf(names);
  if (lineage === 'former') return { own: new DataSource(options), fresh: migrationNames };
  if (lineage === 'older') throw olderThanFormer('The dump', 'DUMP', 'database restore');
  const migrations = all.filter((one) => names.includes(new one().name));
  const unknown = names.length - migrations.length;
  if (unknown === 0) return { own: new DataSource({ ...options, migrations }), fresh: [] };
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

/**
 * The rows of a dump in PostgreSQL's custom format. What else pg_restore prints of it is skipped:
 * whoever made the dump chose those statements.
 * @throws OperatorError if it is damaged.
 */
export async function rowsOfDump(
  programs: DumpPrograms,
  dump: string,
  signal?: AbortSignal,
): Promise<RowSource> {
  const printing = (args: readonly string[]): AsyncGenerator<TableRows | SequenceValue> =>
    itemsIn(
      streamOf(programs, 'pg_restore', ['--data-only', '--file=-', ...args, dump], { signal }),
    );
  const migrations: string[] = [];
  for await (const item of printing(['--table=migrations'])) {
    if ('table' in item && item.table === 'migrations') migrations.push(...(await names(item)));
  }
  if (migrations.length === 0) throw unusable('it has no table of migrations');
  return { migrations, items: () => printing([]) };
}

const unusable = (why: string) =>
  failure(`The dump cannot be restored: ${why}.`, {
    remedy: 'Use another one; imgstore makes them with pg_dump --format=custom.',
  });

async function names({ columns, lines }: TableRows): Promise<string[]> {
  const at = columns.indexOf('name');
  const chunks: Buffer[] = [];
  for await (const chunk of lines) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString().trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.split('\t')[at] ?? '');
}

const identifier = String.raw`(?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*))`;
const copy = new RegExp(String.raw`^COPY ${identifier}\.${identifier} \((.*)\) FROM stdin;$`);
const setval = new RegExp(
  String.raw`^SELECT pg_catalog\.setval\('${identifier}\.${identifier}', (\d{1,19}), (true|false)\);$`,
);
const column = new RegExp(String.raw`^${identifier}$`);

/** An identifier as PostgreSQL prints it. */
const unquoted = (quoted: string | undefined, plain: string | undefined): string =>
  quoted?.replaceAll('""', '"') ?? plain ?? '';

async function* itemsIn(output: AsyncIterable<Buffer>): AsyncGenerator<TableRows | SequenceValue> {
  const printed = new Printed(output);
  for (let line = await printed.line(); line !== undefined; line = await printed.line()) {
    const [, , , quoted, plain, list = ''] = copy.exec(line) ?? [];
    if (line.startsWith('COPY ') && list !== '') {
      const lines = printed.rows();
      yield { table: unquoted(quoted, plain), columns: columnsIn(list), lines };
      for await (const skipped of lines) void skipped;
    }
    const [, , , its, name, value, called] = setval.exec(line) ?? [];
    if (value !== undefined) {
      yield { sequence: unquoted(its, name), value: BigInt(value), called: called === 'true' };
    }
  }
}

const columnsIn = (list: string): string[] =>
  list.split(', ').map((name) => {
    const [, quoted, plain] = column.exec(name) ?? [];
    return unquoted(quoted, plain);
  });

/** No row of imgstore is longer, and no statement. */
const maxLineBytes = 64 * bytesPerMegabyte;

const newline = 0x0a;

/** What pg_restore prints: statements, and rows up to a line with a backslash and a dot. */
class Printed {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Begins at the beginning of a line. */
  #rest = Buffer.alloc(0);

  constructor(output: AsyncIterable<Buffer>) {
    this.#chunks = output[Symbol.asyncIterator]();
  }

  /** @returns undefined at the end. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(newline);
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end);
      if (!(await this.#more())) return undefined;
    }
  }

  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#rest.length >= 2 && this.#rest.toString('latin1', 0, 2) === '\\.') {
        // Rows escape backslashes, so nothing else begins like this.
        if ((await this.line()) !== '\\.') throw unusable('its rows are malformed');
        return;
      }
      const end = this.#rest.indexOf('\n\\.');
      const whole = (end >= 0 ? end : this.#rest.lastIndexOf(newline)) + 1;
      if (whole > 0) yield this.#take(whole);
      else if (!(await this.#more())) throw unusable('it ends within the rows of a table');
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(bytes);
    return taken;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done) return false;
    // psql would take what follows a zero byte for the same line.
    if (next.value.includes(0)) throw unusable('its rows contain zero bytes');
    if (this.#rest.length > maxLineBytes) throw unusable('it has a line of more than 64 MB');
    this.#rest = Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
