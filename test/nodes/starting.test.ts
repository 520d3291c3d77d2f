import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { migrations } from '../../migrations/index.js';
import { Keyring } from '../../src/http/auth/keyring.js';
import { readMasterKey } from '../../src/http/auth/secrets.js';
import { Home } from '../../src/base/config/home.js';
import { createDataSource } from '../../src/database/data-source.js';
import { entities } from '../../src/ops/service-database.js';
import { migrate } from '../../src/database/migrations.js';
import { rows } from '../../src/database/sql.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { imgstore } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { longForm, longOnly } from '../../testkit/long-form.js';
import { nodeHome } from '../../testkit/nodes.js';
import { serve } from '../../testkit/appliance.js';
import type { Scope } from '../../testkit/scope.js';

const names = migrations.map((migration) => new migration().name);

/** Number of nodes that start at once. */
const nodes = longForm ? 3 : 2;

/** Homes to initialize, on one store, and their common key. */
async function newHomes(scope: Scope): Promise<{ homes: Home[]; key: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-nodes-'));
  scope.after(() => rm(dir, { recursive: true, force: true }));
  const shared = new Home(dir);
  await mkdir(shared.store, { mode: 0o700 });
  const key = join(dir, 'given.key');
  await writeFile(key, randomBytes(32).toString('base64'), { mode: 0o600 });
  const homes = await Promise.all(Array.from({ length: nodes }, () => nodeHome(scope, shared)));
  return { homes, key };
}

/** Serves all homes at once, waits until each is ready, and stops them. */
async function serveAll(scope: Scope, homes: readonly Home[], url: string): Promise<void> {
  const served = await Promise.all(
    homes.map((home) => serve(scope, home, ['--database-url', url])),
  );
  for (const { client } of served) assert.equal((await client.raw('GET', '/readyz')).status, 200);
  const ends = await Promise.all(served.map((node) => node.end()));
  assert.deepEqual(new Set(ends), new Set([0]));
}

async function applied(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  await client.end();
  return found.rows.map(({ name }) => name);
}

/** A database in the state before the last migration. */
async function databaseBefore(scope: Scope, home: Home): Promise<string> {
  const { url } = await blankDatabase(scope);
  const before = createDataSource({
    url,
    poolSize: 2,
    statementTimeoutMs: 0,
    entities,
    migrations: migrations.slice(0, -1),
  });
  await before.initialize();
  const mark = await readFile(join(home.store, sentinelKey), 'utf8');
  const { instance_id: id } = JSON.parse(mark) as { instance_id: string };
  try {
    await migrate(before, () => undefined);
    await rows(before, 'INSERT INTO instance (id) VALUES ($1)', [id]);
    await new Keyring(before, await readMasterKey(home)).rotate();
  } finally {
    await before.destroy();
  }
  return url;
}

test(
  'nodes that are created or start with a new version concurrently run each migration once',
  longOnly,
  async (t) => {
    const { homes, key } = await newHomes(t);
    const created = (await blankDatabase(t)).url;
    const inits = await Promise.all(
      homes.map(({ dir }) =>
        imgstore([
          'init',
          '--home',
          dir,
          '--database-url',
          created,
          '--master-key-file',
          key,
          '--json',
        ]),
      ),
    );
    for (const { code, stdout } of inits) assert.equal(code, 0, stdout);
    const made = inits.map(({ json }) =>
      json<{ instance_id: string; migrations_applied: string[] }>(),
    );
    assert.equal(new Set(made.map((m) => m.instance_id)).size, 1, 'one installation');
    assert.deepEqual(made.flatMap((m) => m.migrations_applied).sort(), [...names].sort());
    assert.deepEqual(await applied(created), names);

    const [first] = homes as [Home, ...Home[]];
    const url = await databaseBefore(t, first);
    assert.deepEqual(await applied(url), names.slice(0, -1));
    await serveAll(t, homes, url);
    assert.deepEqual(await applied(url), names);
  },
);
