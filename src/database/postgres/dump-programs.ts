import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, readdir, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Home } from '../../base/config/home.js';
import { urlsOfHosts } from '../../base/config/database-hosts.js';
import { dependencyDown, failure } from '../../base/errors/operator.js';
import { apart, lastLines, run, signalChild } from '../../base/os/run.js';
import { errnoOf } from '../../base/os/files.js';
import { isSecret } from './check-external.js';
import { engineFolder, type Engine } from './engine.js';
import { unpackedEngine } from './ensure-engine.js';

/** pg_dump, pg_restore, and psql of one PostgreSQL version. */
export type DumpPrograms = Engine;

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

/** How long the programs wait for each of several hosts, in seconds. */
const hostTimeout = { PGCONNECT_TIMEOUT: '5' };

/** A database URL: what precedes the user, user, password, hosts and database, parameters. */
const urlParts = /^([a-z]+:\/\/)(?:([^:@/?#]*)(?::([^@]*))?@)?([^?]*)(?:\?(.*))?$/is;

/** Other users of the machine can read arguments, but not the environment. */
export function withoutSecret(url: string): { url: string; env: Record<string, string> } {
  const env = urlsOfHosts(url).length > 1 ? hostTimeout : {};
  const [, head = '', user, password, hosts = '', query = ''] = urlParts.exec(url) ?? [];
  if (head === '') return { url, env };
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  // The parameter counts more, for libpq as for pg. Other secrets have no variable, and pg knows none of them.
  const given = new URLSearchParams(query.replaceAll('+', '%2B')).getAll('password').at(-1);
  const secret = given ?? decodeURIComponent(password ?? '');
  const others = parameters.filter((parameter) => !isSecret(parameter)).join('&');
  const bare = `${head}${user === undefined ? '' : `${user}@`}${hosts}${others && `?${others}`}`;
  const known: Record<string, string> = secret === '' ? {} : { PGPASSWORD: secret };
  return { url: bare, env: { ...env, ...known } };
}

interface Running {
  readonly programs: DumpPrograms;
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs one of the programs on a database. @throws OperatorError 1 with the end of its output. */
export async function runOn(
  { programs, url, signal }: Running,
  program: Program,
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

interface Dumping extends Running {
  /** As in SQL. */
  readonly schema: string;
  readonly file: string;
  /** Exported by another session; the current state if omitted. */
  readonly snapshot?: string;
  /** Tables whose rows are omitted. */
  readonly without?: readonly string[];
  /** Whether the rows of all tables are omitted. */
  readonly withoutRows?: boolean;
}

/** Dumps the tables and their dependent objects, in PostgreSQL's custom format. */
export async function dumpDatabase({
  schema,
  file,
  snapshot,
  without = [],
  withoutRows = false,
  ...on
}: Dumping): Promise<void> {
  const args = [
    '--format=custom',
    `--file=${file}`,
    `--schema=${schema}`,
    '--no-owner',
    '--no-privileges',
    '--lock-wait-timeout=60s',
    ...(snapshot === undefined ? [] : [`--snapshot=${snapshot}`]),
    ...(withoutRows ? ['--schema-only'] : []),
    ...without.map((table) => `--exclude-table-data=${table}`),
  ];
  await runOn(on, 'pg_dump', args, 'dumping the database');
}

type Program = 'pg_dump' | 'pg_restore' | 'psql';

interface Child {
  readonly child: ChildProcess;
  /** Resolves once it has ended well. @throws OperatorError 1 with the end of its output. */
  readonly ended: Promise<void>;
}

function started(
  { programs, url, signal }: Omit<Running, 'url'> & { readonly url?: string },
  program: Program,
  args: readonly string[],
  doing: string,
): Child {
  const connection = url === undefined ? { url, env: {} } : withoutSecret(url);
  const words = connection.url === undefined ? args : [...args, `--dbname=${connection.url}`];
  const child = spawn(join(programs.bin, program), words, {
    ...apart({ env: { ...programs.env, ...connection.env }, signal }),
    stdio: 'pipe',
  });
  const [said, closed] = [text(child.stderr), once(child, 'close')];
  const ended = Promise.all([said, closed]).then(([output]) => {
    if (child.exitCode === 0) return;
    throw failure(`${program} failed while ${doing}:\n${lastLines(output)}`, {
      setting: 'database.url',
    });
  });
  ended.catch(() => undefined); // whoever awaits it sees the failure
  return { child, ended };
}

/** What a program prints; it is ended with the reader. @throws OperatorError 1 if it fails. */
export async function* streamOf(
  programs: DumpPrograms,
  program: Program,
  args: readonly string[],
  { url, signal }: { readonly url?: string; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer> {
  const on = { programs, signal, ...(url !== undefined && { url }) };
  const { child, ended } = started(on, program, args, 'reading rows');
  child.stdin?.end();
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    await ended;
  } finally {
    signalChild(child, 'SIGKILL');
  }
}

/** All that pg_restore prints. @throws OperatorError 1 if it fails. */
export async function outputOf(programs: DumpPrograms, args: readonly string[]): Promise<string> {
  const path = join(programs.bin, 'pg_restore');
  const { code, stdout, output } = await run(path, args, { env: programs.env });
  if (code === 0) return stdout;
  throw failure(`pg_restore cannot read the dump:\n${lastLines(output)}`);
}

/**
 * Runs the statements that `script` yields in psql, until the first that fails. Without a COMMIT of
 * its own at the end, nothing is changed. @throws OperatorError 1 with the end of its output.
 */
export async function runScript(
  on: Running,
  script: AsyncIterable<Buffer | string>,
  doing: string,
): Promise<void> {
  const args = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', '--file=-'];
  const { child, ended } = started(on, 'psql', args, doing);
  child.stdout?.resume();
  try {
    await pipeline(script, child.stdin as Writable);
  } catch (error) {
    // Its own failure comes first: it ends without reading the rest.
    if (errnoOf(error) === 'EPIPE') await ended;
    signalChild(child, 'SIGKILL');
    await ended.catch(() => undefined);
    throw error;
  }
  await ended;
}
