import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../src/config/home.js';
import { run } from '../src/os/run.js';
import { findDumpPrograms, restoreDatabase } from '../src/postgres/dump-programs.js';
import { newHome } from './command.js';
import { blankDatabase } from './database.js';
import type { Scope } from './scope.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/0.1/${name}`, import.meta.url));

/** The answers of the service of version 0.1 before its database was dumped. */
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

/** An installation as version 0.1 left it, with a database of the test server. */
export async function oldHome(scope: Scope): Promise<{ home: Home; url: string }> {
  const home = await newHome(scope);
  const { url } = await blankDatabase(scope);
  for (const dir of [home.dir, home.run, home.incoming]) await mkdir(dir);
  const archive = fixture('home.tar.gz');
  const { code, output } = await run('tar', ['-xzf', archive, '-C', home.dir, '--no-same-owner']);
  assert.equal(code, 0, output);
  await writeFile(home.configFile, `database.url: ${url}\ntimezone: UTC\n`, { mode: 0o600 });
  const list = join(home.incoming, 'list');
  const programs = await findDumpPrograms(15, home);
  await restoreDatabase({ programs, url, dump: fixture('database.dump'), list });
  return { home, url };
}
