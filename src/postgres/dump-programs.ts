import { access, constants, readdir, realpath, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Home } from '../config/home.js';
import { dependencyDown, failure } from '../errors/operator.js';
import { lastLines, run } from '../os/run.js';
import { engineFolder } from './engine.js';
import { unpackedEngine } from './unpack-engine.js';

/** pg_dump, pg_restore, and psql of one PostgreSQL version. */
export interface DumpPrograms {
  readonly bin: string;
  readonly major: number;
  readonly env: Readonly<Record<string, string>>;
}

const needed = ['pg_dump', 'pg_restore', 'psql'];

async function inspect(
  bin: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DumpPrograms | undefined> {
  const paths = needed.map((name) => join(bin, name));
  try {
    await Promise.all(paths.map((path) => access(path, constants.X_OK)));
  } catch {
    return undefined; // most folders of PATH have none of them
  }
  const answers = await Promise.all(
    paths.map((path) => run(path, ['--version'], { env }).catch(() => undefined)),
  );
  const majors = answers.map((answer) => Number(/\b(\d+)[.\w]*/.exec(answer?.stdout ?? '')?.[1]));
  const [major = NaN] = majors;
  return majors.every((other) => other === major) ? { bin, major, env } : undefined;
}

/**
 * Finds programs that can dump and restore a server of a major version: the oldest that are not
 * older than it, since newer ones may use settings that it does not have. @param home may have its
 * own programs. @throws OperatorError 69 with the package that contains them.
 */
export async function findDumpPrograms(major: number, home: Home): Promise<DumpPrograms> {
  const unpacked = await unpackedEngine(engineFolder(home));
  const own = unpacked && (await inspect(unpacked.bin, unpacked.env));
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir.startsWith('/'));
  const named = [...versions.map((version) => join(debian, version, 'bin')), ...path];
  // /bin is often a link to /usr/bin.
  const folders = await Promise.all(named.map((bin) => realpath(bin).catch(() => bin)));
  const found = await Promise.all([...new Set(folders)].map((bin) => inspect(bin)));
  const known = [own, ...found].filter((programs) => programs !== undefined);
  const [best] = known.filter((p) => p.major >= major).sort((a, b) => a.major - b.major);
  if (best) return best;
  const near =
    known.length > 0 ? ` Found: ${known.map((p) => `${p.bin} (${p.major})`).join(', ')}.` : '';
  throw dependencyDown(
    `No pg_dump, pg_restore, and psql of PostgreSQL ${major} or newer were found on this machine.${near}`,
    {
      setting: 'database.url',
      remedy: `sudo apt-get install --no-install-recommends postgresql-client-${major} (from apt.postgresql.org, if this system does not have it)`,
    },
  );
}

/** Other users of the machine can read arguments, but not the environment. */
export function withoutSecret(url: string): { url: string; env: Record<string, string> } {
  const [, head = '', user = '', password = '', rest = ''] =
    /^([a-z]+:\/\/)([^:@/?#]*)(?::([^@]*))?(@.*)$/is.exec(url) ?? [];
  if (head === '' || password === '') return { url, env: {} };
  return { url: `${head}${user}${rest}`, env: { PGPASSWORD: decodeURIComponent(password) } };
}

interface Running {
  readonly programs: DumpPrograms;
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs one of the programs on a database. @throws OperatorError 1 with the end of its output. */
export async function runOn(
  { programs, url, signal }: Running,
  program: 'pg_dump' | 'pg_restore' | 'psql',
  args: readonly string[],
  doing: string,
): Promise<string> {
  const connection = withoutSecret(url);
  const { code, stdout, output } = await run(
    join(programs.bin, program),
    [...args, `--dbname=${connection.url}`],
    { env: { ...programs.env, ...connection.env }, signal },
  );
  if (code === 0) return stdout;
  throw failure(`${program} failed while ${doing}:\n${lastLines(output)}`, {
    setting: 'database.url',
  });
}

export interface Dumping extends Running {
  /** As in SQL. */
  readonly schema: string;
  readonly file: string;
  /** Exported by another session; the current state if omitted. */
  readonly snapshot?: string;
  /** Tables whose rows are omitted. */
  readonly without?: readonly string[];
}

/** Dumps the tables and their dependent objects, in PostgreSQL's custom format. */
export async function dumpDatabase({
  schema,
  file,
  snapshot,
  without = [],
  ...on
}: Dumping): Promise<void> {
  const args = [
    ...['--format=custom', `--file=${file}`, `--schema=${schema}`],
    ...['--no-owner', '--no-privileges', '--lock-wait-timeout=60s'],
    ...(snapshot === undefined ? [] : [`--snapshot=${snapshot}`]),
    ...without.map((table) => `--exclude-table-data=${table}`),
  ];
  await runOn(on, 'pg_dump', args, 'dumping the database');
}

/**
 * Entries that exist before a restore: the schema, and extensions, which only superusers may
 * create.
 */
const given =
  /^\d+; \d+ \d+ (?:EXTENSION|SCHEMA|COMMENT - (?:EXTENSION|SCHEMA)|TABLE DATA \S+ spatial_ref_sys) /;

export interface DumpRestore extends Running {
  readonly dump: string;
  /** Where to write the list of entries to restore. */
  readonly list: string;
  /** Which parts of the dump; all if omitted. */
  readonly sections?: readonly ('pre-data' | 'data' | 'post-data')[];
}

/** Restores a dump into an empty database that has the extensions: either all of it or nothing. */
export async function restoreDatabase({
  dump,
  list,
  sections = [],
  ...on
}: DumpRestore): Promise<void> {
  const { programs } = on;
  const { code, stdout, output } = await run(join(programs.bin, 'pg_restore'), ['--list', dump], {
    env: programs.env,
  });
  if (code !== 0) throw failure(`pg_restore cannot read the dump:\n${lastLines(output)}`);
  const kept = stdout.split('\n').filter((line) => !given.test(line));
  await writeFile(list, kept.join('\n'), { mode: 0o600 });
  const args = [
    ...['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'],
    ...[`--use-list=${list}`, ...sections.map((section) => `--section=${section}`)],
  ];
  await runOn(on, 'pg_restore', [...args, dump], 'restoring the dump');
}
