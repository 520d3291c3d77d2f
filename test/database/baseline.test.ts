import assert from 'node:assert/strict';
import { dirname, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import type { DataSource } from 'typeorm';
import { baseline } from '../../migrations/baseline/index.js';
import { migrations } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { findDumpPrograms, runOn } from '../../src/database/postgres/dump-programs.js';
import { onlyValue, rows } from '../../src/database/sql.js';
import { newHome } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { fillAsOld, loadDump } from '../../testkit/old-home.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';

const names = migrations.map((migration) => new migration().name);

const sourceOf = (url: string, known: typeof migrations = migrations): DataSource =>
  createDataSource({ url, poolSize: 1, statementTimeoutMs: 0, entities: [], migrations: known });

const scope = lastFirst({ after });
const home = await newHome(scope);

interface Made {
  readonly url: string;
  /** Connected. */
  readonly db: DataSource;
  /** What `migrate` returned at last. */
  readonly applied: readonly string[];
}

/** A new database with the extensions, migrated after `fill` has made what an older version left. */
async function made(
  parent: Scope,
  fill: (url: string) => Promise<unknown> = async () => undefined,
): Promise<Made> {
  const own = lastFirst(parent);
  const { url } = await blankDatabase(own);
  await fill(url);
  const applied = await migrate(sourceOf(url), () => undefined);
  const db = await sourceOf(url).initialize();
  own.after(() => db.destroy());
  return { url, db, applied };
}

/** The schema as pg_dump prints it, but for what differs with every run. */
async function schemaOf({ url }: Made): Promise<string[]> {
  const sql = await runOn({ programs, url }, 'pg_dump', ['--schema-only'], 'dumping the schema');
  return sql
    .replaceAll(/^\\(un)?restrict .*\n/gm, '')
    .replaceAll(/CONSTRAINT \w+_not_null NOT NULL/g, 'NOT NULL') // PostgreSQL 18 keeps old names
    .split('\n');
}

/** Every row of our tables, but for the time of the run. */
async function contentsOf({ db }: Made): Promise<unknown> {
  const tables = await rows<{ name: string }>(
    db,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'spatial_ref_sys'
     ORDER BY relname`,
  );
  const contents = tables.map(async ({ name }) => [
    name,
    await rows(
      db,
      `SELECT to_jsonb(t) - '{applied_at, began_at}'::text[] AS row FROM "${name}" t ORDER BY 1`,
    ),
  ]);
  return Object.fromEntries((await Promise.all(contents)) as [string, unknown][]);
}

/** Shows the first line that differs, not two texts of five thousand lines. */
function assertSame(found: readonly string[], wanted: readonly string[]): void {
  found.forEach((line, n) => assert.equal(line, wanted[n], `line ${n + 1} of the dump`));
  assert.equal(found.length, wanted.length);
}

const fresh = await made(scope);
const version = await onlyValue<number>(
  fresh.db,
  `SELECT current_setting('server_version_num')::int`,
);
const programs = await findDumpPrograms(Math.floor(version / 10_000), home);
const wanted = await schemaOf(fresh);

const count = async ({ db }: Made): Promise<number> =>
  (await rows(db, 'SELECT FROM images')).length;

describe('the baseline is to the letter what the migrations arrive at', () => {
  test('in a new database, with its first rows', async (t) => {
    const chained = await made(t, (url) =>
      migrate(sourceOf(url, migrations.slice(0, 1)), () => undefined),
    );
    assert.deepEqual([fresh.applied, chained.applied], [names, names.slice(1)]);
    assertSame(await schemaOf(chained), wanted);
    assert.deepEqual(await contentsOf(chained), await contentsOf(fresh));
  });

  test('in a home of version 0.2, with its data', async (t) => {
    const dump = 'test/fixtures/backup-0.2/generations/20261122T213109Z-dae69aba/database.dump';
    const old = await made(t, (url) =>
      loadDump({ programs, dump: resolve(dump), url, folder: dirname(home.dir) }),
    );
    assert.deepEqual(
      [old.applied, await count(old)],
      [names.slice(names.indexOf('MapTiles0000000000029')), 3],
    );
    assertSame(await schemaOf(old), wanted);
  });

  test('in a home of version 0.1, with its data', async (t) => {
    const old = await made(t, async (url) => fillAsOld(await newHome(lastFirst(t)), url));
    assert.deepEqual(old.applied, names.slice(6));
    assert.ok((await count(old)) > 0);
    assertSame(await schemaOf(old), wanted);
  });
});

test('every function and trigger is written once', () => {
  const created = baseline
    .join('\n')
    .matchAll(/CREATE (?:OR REPLACE )?(FUNCTION|TRIGGER|TABLE|TYPE) (\w+)([^;]*?ON \w+)?/g);
  const found = [...created].map(([, kind, name, on]) =>
    kind === 'TRIGGER' ? `${name}${/ON \w+$/.exec(on ?? '')?.[0]}` : `${kind} ${name}`,
  );
  assert.deepEqual(found, [...new Set(found)]);
});

test('a creation that fails leaves nothing behind, and the next one begins again', async (t) => {
  const { url } = await blankDatabase(t);
  const db = await sourceOf(url).initialize();
  t.after(() => db.destroy());
  // Of the last tables, so that most of the others are there by then.
  await rows(db, 'CREATE TABLE verifications ()');
  await assert.rejects(
    migrate(sourceOf(url), () => undefined),
    /"verifications" already exists/,
  );
  const [left] = await rows(
    db,
    `SELECT to_regclass('users') IS NULL AS none, (SELECT count(*)::int FROM migrations) AS known`,
  );
  assert.deepEqual(left, { none: true, known: 0 });
  await rows(db, 'DROP TABLE verifications');
  const both = [1, 2].map(() => migrate(sourceOf(url), () => undefined));
  assert.deepEqual((await Promise.all(both)).flat(), names); // one of two at once
});
