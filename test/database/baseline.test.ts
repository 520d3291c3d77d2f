import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DataSource } from 'typeorm';
import { baseline, before, migrations } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { findDumpPrograms, runOn } from '../../src/database/postgres/dump-programs.js';
import { onlyValue, rows } from '../../src/database/sql.js';
import { newHome } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { fillAsOld } from '../../testkit/old-home.js';
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

test('what 0.3.0 left becomes to the letter what a new database has', async (t) => {
  const old = await made(t, async (url) => fillAsOld(await newHome(lastFirst(t)), url));
  assert.deepEqual(old.applied, names);
  assert.ok((await count(old)) > 0);
  assertSame(await schemaOf(old), wanted);
  const recorded = await rows<{ name: string }>(old.db, 'SELECT name FROM migrations ORDER BY id');
  assert.deepEqual(
    recorded.map(({ name }) => name),
    names,
  );
});

test('what is older than 0.3.0 is left as it is, and told to pass through it', async (t) => {
  const own = lastFirst(t);
  const { url } = await blankDatabase(own);
  await fillAsOld(await newHome(own), url);
  const db = await sourceOf(url).initialize();
  own.after(() => db.destroy());
  await rows(db, `DELETE FROM migrations WHERE name = '${before.last}'`);
  await assert.rejects(
    migrate(sourceOf(url), () => undefined),
    { exitCode: 78, code: 'older', setting: 'database.url', remedy: /0\.3\.0/ },
  );
  assert.equal((await rows(db, 'SELECT FROM taken_ranges')).length > 0, true);
});

test('every function and trigger is written once', () => {
  const created = baseline()
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
