import { failure } from '../../base/errors/operator.js';
import { bytesPerMegabyte } from '../../base/units.js';
import { streamOf, type DumpPrograms } from '../../database/postgres/dump-programs.js';
import type { RowSource, SequenceValue, TableRows } from './load-rows.js';

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
