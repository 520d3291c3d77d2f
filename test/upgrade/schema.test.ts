import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { migrations } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { rows } from '../../src/database/sql.js';
import type { MigrationPlan } from '../../src/ops/upgrade/dump.js';
import { resultOf } from '../../testkit/backups.js';
import { fails } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { oldAnswers, oldHome } from '../../testkit/old-home.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

const scope = lastFirst({ after });
const { home, url } = await oldHome(scope);
const old = await oldAnswers();
const on = ['--home', home.dir, '--json'];
const names = migrations.map((migration) => new migration().name);
/** How many migrations 0.3.0 had. */
const before = 36;

interface Migrated {
  readonly applied: readonly string[];
  readonly dump: { readonly file: string; readonly bytes: number } | null;
  readonly migrations: readonly { readonly name: string; readonly applied_at: string | null }[];
}

/** Runs a statement from outside the service. */
async function sql(statement: string, on = url): Promise<unknown[]> {
  const options = { url: on, poolSize: 1, statementTimeoutMs: 0, entities: [], migrations: [] };
  const db = await createDataSource(options).initialize();
  try {
    return await rows(db, statement);
  } finally {
    await db.destroy();
  }
}

/** Without URLs, whose signatures and base have changed since. */
const withoutSignatures = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/"https?:\/\/[^/"]+(\/[^"?]*)(?:\?[^"]*)?"/g, '"$1"'),
  ) as unknown;

/** Fails unless `found` has everything that `wanted` has; new fields are allowed. */
function assertIncludes(found: unknown, wanted: unknown, where: string): void {
  if (wanted === null || typeof wanted !== 'object') return assert.equal(found, wanted, where);
  assert.ok(found !== null && typeof found === 'object', `${where} is ${String(found)}`);
  if (Array.isArray(wanted)) assert.equal((found as unknown[]).length, wanted.length, where);
  for (const [key, value] of Object.entries(wanted)) {
    assertIncludes((found as Record<string, unknown>)[key], value, `${where}.${key}`);
  }
}

describe('a database of version 0.3.0', () => {
  test('is refused by commands, which name the command to run', async () => {
    await fails(hosted(['platform', 'list', ...on]), 1, {
      about: ` ${names.length} pending `,
      remedy: 'migrate --home',
    });
  });

  test('migrate --plan describes what is pending, and changes nothing', async () => {
    const plan = await resultOf<MigrationPlan>(hosted(['migrate', '--plan', ...on]));
    assert.deepEqual(
      plan.pending.map(({ name }) => name),
      names,
    );
    const [baseline] = plan.pending;
    assert.equal(baseline?.holds, 'everything');
    assert.deepEqual(
      baseline.reads.map(({ table }) => table),
      ['images'],
    );
    assert.ok(baseline.reads.every(({ bytes }) => bytes > 0));
    assert.ok(plan.dump && plan.dump.bytes > 0 && plan.dump.bytes < plan.dump.table_bytes);
    const { stdout } = await hosted(['migrate', '--plan', '--home', home.dir]);
    assert.match(stdout, /^First, a dump of the database is made: .* at most /);
    assert.match(
      stdout,
      /Baseline0000000000043\n {2}Makes .*\n {2}While it runs, reads and changes wait; scans images \(/,
    );
    assert.equal((await sql('SELECT FROM migrations')).length, before);
    await fails(hosted(['migrate', '--plan', '--status', ...on]), 2, { setting: '--plan' });
  });

  test('is dumped, migrated, and answers as before', async (t) => {
    const migrated = await resultOf<Migrated>(hosted(['migrate', ...on]));
    assert.deepEqual(migrated.applied, names);
    const { file = '' } = migrated.dump ?? {};
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(
      (await readdir(home.dumps)).map((name) => join(home.dumps, name)),
      [file],
    );
    const idle = await resultOf<Migrated>(hosted(['migrate', ...on]));
    assert.deepEqual([idle.applied, idle.dump], [[], null]);
    assert.match((await hosted(['migrate', '--plan', '--home', home.dir])).stdout, /^No migration/);

    const { client, end } = await served(t);
    for (const { as, path, result } of old.answers) {
      const answer = await client(as, path);
      assert.equal(answer.status, 200, path);
      assertIncludes(withoutSignatures(answer.result), withoutSignatures(result), path);
    }
    await assertFiles(client);
    await end();
    const verified = await hosted(['verify', 'accounts', ...on]);
    assert.equal(verified.code, 0, verified.stdout);
  });

  test('is restored from the dump into another database, in the schema of today', async (t) => {
    const [name = ''] = await readdir(home.dumps);
    const dump = join(home.dumps, name);
    const words = ['database', 'restore', dump, ...on];
    await fails(hosted([...words, '--yes']), 2, { setting: '--to', remedy: 'CREATE DATABASE' });
    const { url: to } = await blankDatabase(lastFirst(t));
    await fails(hosted([...words, '--to', to]), 2, { setting: '--yes' });
    const absent = ['database', 'restore', '/nonexistent', ...on];
    await fails(hosted(absent), 2, { setting: 'DUMP', about: '/nonexistent', remedy: home.dumps });
    await fails(hosted([...words, '--yes', '--to', url]), 1, {
      code: 'not_empty',
      setting: '--to',
    });
    const flagged = [...words, '--yes', '--to', to, '--database-url', url];
    await fails(hosted(flagged), 78, { setting: 'database.url', about: '--database-url' });

    const restored = await resultOf<{ pending: string[] }>(hosted([...words, '--yes', '--to', to]));
    assert.deepEqual(restored.pending, [], 'its rows are in the schema of today');
    assert.match(
      await readFile(home.configFile, 'utf8'),
      new RegExp(`^database.url: .*${nameOf(to)}`),
    );
    assert.equal((await sql('SELECT FROM migrations', to)).length, names.length);
    const again = await resultOf<Migrated>(hosted(['migrate', '--no-dump', ...on]));
    assert.deepEqual([again.applied, again.dump], [[], null]);
    assert.equal((await hosted(['verify', 'accounts', ...on])).code, 0);
    await writeFile(home.configFile, `database.url: ${url}\ntimezone: UTC\n`);
  });

  test('of a newer program is refused by every command that opens it, with the remedy', async () => {
    await sql(
      `INSERT INTO migrations (timestamp, name, applied_by) VALUES (9999, 'Later9999', '9.9.9')`,
    );
    const some = [
      ['serve', '--port', '0'],
      ['migrate'],
      ['platform', 'list'],
      ['backup', join(home.dir, 'backup')],
    ];
    const others = [
      ['init', '--yes'],
      ['migrate', '--plan'],
      ['migrate', '--status'],
      ['verify', 'accounts'],
      ['verify'],
      ['store', 'migrate', '--to', 'local'],
      ['database', 'move', '--to', 'postgresql://other@localhost/other'],
    ];
    for (const command of longForm ? [...some, ...others] : some) {
      const { message, remedy = '' } = await fails(hosted([...command, ...on]), 78, {
        code: 'newer',
        about: 'Later9999',
        remedy: 'database restore DUMP',
      });
      for (const text of [message, remedy]) assert.ok(text.includes('9.9.9'), text);
    }
    await sql(`UPDATE migrations SET applied_by = NULL WHERE name = 'Later9999'`);
    await fails(hosted(['platform', 'list', ...on]), 78, { code: 'newer', about: 'Later9999' });
    await sql(`DELETE FROM migrations WHERE name = 'Later9999'`);
  });
});

const nameOf = (url: string): string => /\/(test_\w+)/.exec(url)?.[1] ?? '';

async function served(t: Parameters<typeof lastFirst>[0]) {
  const running = await serve(lastFirst(t), home);
  const tokenOf = async (as: 'platform' | 'user'): Promise<string> => {
    const words = [as, 'token', old[as], ...on];
    return (await resultOf<{ access_token: string }>(hosted(words))).access_token;
  };
  const tokens = { platform: await tokenOf('platform'), user: await tokenOf('user') };
  const schemes = { platform: 'Platform', user: 'User' } as const;
  const client = (as: 'platform' | 'user', path: string) =>
    running.client.get(path, { as: [schemes[as], tokens[as]] });
  return { client, end: () => running.end() };
}

type Reader = Awaited<ReturnType<typeof served>>['client'];

/** Asserts that every original of the user is served with its old bytes. */
async function assertFiles(client: Reader): Promise<void> {
  const { result } = await client('user', `/api/v1/users/${old.user}/images?with_history=True`);
  const links = [...JSON.stringify(result).matchAll(/"(https?:\/\/[^"]*original\.\w+[^"]*)"/g)];
  assert.ok(links.length >= 4);
  const stored = new Set<string>();
  for (const entry of await readdir(home.store, { recursive: true })) {
    if (entry.includes('original.'))
      stored.add(await hashOf(await readFile(join(home.store, entry))));
  }
  for (const [, link = ''] of links) {
    const response = await fetch(link);
    assert.equal(response.status, 200, link);
    assert.ok(stored.has(await hashOf(Buffer.from(await response.arrayBuffer()))));
  }
}

const hashOf = async (bytes: Buffer): Promise<string> =>
  createHash('sha256').update(bytes).digest('hex');
