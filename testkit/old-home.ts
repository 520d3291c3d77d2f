import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { migrations } from '../migrations/index.js';
import type { Home } from '../src/base/config/home.js';
import { createDataSource } from '../src/database/data-source.js';
import { run } from '../src/base/os/run.js';
import { rowsOfDump, loadRows } from '../src/ops/backup/load-rows.js';
import {
  findDumpPrograms,
  runOn,
  type DumpPrograms,
} from '../src/database/postgres/dump-programs.js';
import { newHome } from './command.js';
import { blankDatabase } from './database.js';
import type { Scope } from './scope.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/0.3/${name}`, import.meta.url));

const oldDump = fixture('database.dump');

/** The answers of the service of version 0.3.0 before its database was dumped. */
export interface OldAnswers {
  readonly platform: string;
  readonly user: string;
  readonly answers: readonly {
    readonly as: 'platform' | 'user';
    readonly path: string;
    readonly result: unknown;
  }[];
}

export const oldAnswers = async (): Promise<OldAnswers> =>
  JSON.parse(await readFile(fixture('answers.json'), 'utf8')) as OldAnswers;

/** An installation as version 0.3.0 left it, with a database of the test server. */
export async function oldHome(scope: Scope): Promise<{ home: Home; url: string }> {
  const home = await newHome(scope);
  const { url } = await blankDatabase(scope);
  await fillAsOld(home, url);
  await writeFile(home.configFile, `database.url: ${url}\ntimezone: UTC\n`, { mode: 0o600 });
  return { home, url };
}

/** Fills a home and an empty database as version 0.3.0 left them. */
export async function fillAsOld(home: Home, url: string): Promise<void> {
  for (const dir of [home.run, home.incoming]) await mkdir(dir, { recursive: true });
  const archive = fixture('home.tar.gz');
  const { code, output } = await run('tar', ['-xzf', archive, '-C', home.dir, '--no-same-owner']);
  assert.equal(code, 0, output);
  const programs = await findDumpPrograms(15, home);
  // As that program made it, with its functions and triggers: only this test trusts them.
  const args = ['--schema=public', '--no-owner', '--exit-on-error', oldDump];
  await runOn({ programs, url }, 'pg_restore', args, 'restoring 0.3.0');
}

interface Dump {
  readonly programs: DumpPrograms;
  readonly dump: string;
  /** Of an empty database. */
  readonly url: string;
  /** For files in between. */
  readonly folder: string;
}

/** Loads all rows of an older version's dump. @returns the database, not yet connected to. */
export async function loadDump({ programs, dump, url, folder }: Dump): Promise<DataSource> {
  const source = await rowsOfDump(programs, dump);
  const options = { url, poolSize: 1, statementTimeoutMs: 0, entities: [], migrations };
  const target = createDataSource(options);
  const report = (left: string): never => assert.fail(left);
  await loadRows({ programs, target, url, source, folder, report });
  return target;
}
