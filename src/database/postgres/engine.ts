import { constants } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Home } from '../../base/config/home.js';
import { exists } from '../../base/os/files.js';
import { run } from '../../base/os/run.js';

/** The oldest PostgreSQL that the schema supports. */
export const minimumMajor = 15;

/** Extensions that the schema needs, by the name of their control file. */
export const requiredExtensions = ['postgis', 'btree_gist', 'btree_gin', 'pg_trgm'] as const;

/** Folder of a home's own engine, if it has one. */
export const engineFolder = (home: Home): string => join(home.database, 'engine');

/** Server programs of one PostgreSQL version. */
export interface Engine {
  /** Folder of `postgres`, `initdb` and `pg_ctl`. */
  readonly bin: string;
  readonly major: number;
  /** What the programs need in their environment, such as the path of unpacked libraries. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A server that was found, and its missing parts: extension names, `icu`; empty if it is usable.
 */
export interface Candidate extends Engine {
  readonly missing: readonly string[];
}

/** Where a server keeps its `extension` folder, relative to the folder of its programs. */
async function shareFolder(bin: string, major: number): Promise<string | undefined> {
  const folders = [
    join(bin, '../../../../share/postgresql', String(major)), // Debian
    join(bin, '../share/postgresql'),
    join(bin, '../share/pgsql'),
    join(bin, '../share'),
  ];
  for (const folder of folders) {
    if (await exists(join(folder, 'extension/plpgsql.control'))) return folder;
  }
  return undefined;
}

async function missingParts(bin: string, major: number): Promise<string[]> {
  const share = await shareFolder(bin, major);
  const lacks: string[] = [];
  for (const name of requiredExtensions) {
    if (!share || !(await exists(join(share, 'extension', `${name}.control`)))) lacks.push(name);
  }
  // The ICU library appears by name in the program's list of shared libraries.
  const program = await readFile(join(bin, 'postgres'));
  if (!program.includes('libicui18n')) lacks.push('icu');
  return lacks;
}

/** Examines one folder of programs. @returns undefined if it has no PostgreSQL server. */
export async function inspectEngine(
  bin: string,
  env: Record<string, string> = {},
): Promise<Candidate | undefined> {
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    if (!(await exists(join(bin, program), constants.X_OK))) return undefined;
  }
  const { code, stdout } = await run(join(bin, 'postgres'), ['--version'], { env });
  const major = Number(/\b(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(stdout)?.[1]);
  if (code !== 0 || !major) return undefined;
  return { bin, major, env, missing: await missingParts(bin, major) };
}

async function systemFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const path = (env.PATH ?? '').split(delimiter).filter((dir) => dir.startsWith('/'));
  const folders = new Set<string>();
  for (const dir of [...path, ...versions.map((v) => join(debian, v, 'bin'))]) {
    const program = await realpath(join(dir, 'postgres')).catch(() => undefined);
    if (program) folders.add(join(program, '..'));
  }
  return [...folders];
}

/** Every PostgreSQL server on the machine (PATH, Debian's folders), newest first, usable or not. */
export async function systemEngines(env: NodeJS.ProcessEnv = process.env): Promise<Candidate[]> {
  const found = await Promise.all((await systemFolders(env)).map((bin) => inspectEngine(bin)));
  return found.filter((c) => c !== undefined).sort((a, b) => b.major - a.major);
}

/** Whether the schema can run on it. */
export const isUsable = (c: Candidate): boolean =>
  c.major >= minimumMajor && c.missing.length === 0;
