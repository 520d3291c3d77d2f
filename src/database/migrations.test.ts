import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { testDatabase, emptyDatabase } from '../../testkit/database.js';
import { createDataSource } from './data-source.js';
import { version } from '../base/installed-files.js';
import { assertServable, migrate, migrationStatus } from './migrations.js';

class One0000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE one (id int)');
  }
  async down(): Promise<void> {}
}

class Two0000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE two (id int)');
  }
  async down(): Promise<void> {}
}

class Broken0000000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE three (id int)');
    await runner.query('SELECT no_such_function()');
  }
  async down(): Promise<void> {}
}

type Migrations = (new () => MigrationInterface)[];

const sourceOf = (url: string, migrations: Migrations, statementTimeoutMs = 20_000) =>
  createDataSource({ url, poolSize: 2, statementTimeoutMs, entities: [], migrations });

const silent = () => undefined;

class WithOthersWaiting0000000000001 extends One0000000000001 {
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    await runner.query(`DO $$ BEGIN
      FOR n IN 1..18000 LOOP
        EXIT WHEN 3 = (SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database());
        PERFORM pg_sleep(0.01);
      END LOOP;
    END $$`);
  }
}

test('concurrent processes apply each migration once, however long it takes', async (t) => {
  const { url } = await emptyDatabase(t);
  const runs = Array.from({ length: 4 }, () =>
    migrate(sourceOf(url, [WithOthersWaiting0000000000001, Two0000000000002], 1), silent),
  );
  const ran = (await Promise.all(runs)).flat();
  assert.deepEqual(ran, ['WithOthersWaiting0000000000001', 'Two0000000000002']);
});

test('the status can be read before the table exists, and includes when a migration ran', async (t) => {
  const { url } = await emptyDatabase(t);
  const source = await sourceOf(url, [One0000000000001, Two0000000000002]).initialize();
  t.after(() => source.destroy());
  assert.deepEqual(
    (await migrationStatus(source)).map((m) => m.appliedAt),
    [undefined, undefined],
  );
  const before = Date.now() - 1000;
  await migrate(source, silent);
  const [one] = await migrationStatus(source);
  assert.equal(one?.name, 'One0000000000001');
  assert.ok(one.appliedAt && one.appliedAt.getTime() > before);
});

test('a failed migration leaves nothing behind, and earlier ones stay', async (t) => {
  const { url } = await emptyDatabase(t);
  const source = await sourceOf(url, [Two0000000000002, Broken0000000000003]).initialize();
  t.after(() => source.destroy());
  await assert.rejects(migrate(source, silent), /no_such_function/);
  const [tables] = await source.query<object[]>(
    `SELECT to_regclass('two') IS NOT NULL AS two, to_regclass('three') IS NULL AS none`,
  );
  assert.deepEqual(tables, { two: true, none: true });
});

test('a migration that has to wait for a table lets others read it meanwhile', async (t) => {
  const { url } = await emptyDatabase(t);
  class Wider0000000000004 implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query('ALTER TABLE one ADD COLUMN more int');
    }
    async down(): Promise<void> {}
  }
  await migrate(sourceOf(url, [One0000000000001]), silent);
  const others = await sourceOf(url, []).initialize();
  t.after(() => others.destroy());
  const dump = others.createQueryRunner();
  await dump.startTransaction();
  await dump.query('LOCK TABLE one IN ACCESS SHARE MODE');
  let waits = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (waits = resolve));
  const wider = sourceOf(url, [One0000000000001, Wider0000000000004]);
  const migrating = migrate(wider, (said) => said.startsWith('Waiting for a table') && waits());
  await waiting;
  assert.deepEqual(await others.query('SELECT * FROM one'), []);
  await dump.rollbackTransaction();
  await dump.release();
  assert.deepEqual(await migrating, ['Wider0000000000004']);
  assert.deepEqual(await others.query('SELECT more FROM one'), []);
});

test('migrate and status reject a database newer than the program', async (t) => {
  const { url } = await emptyDatabase(t);
  await migrate(sourceOf(url, [One0000000000001, Two0000000000002]), silent);
  const older = await sourceOf(url, [One0000000000001]).initialize();
  t.after(() => older.destroy());
  const refusal = { exitCode: 78, message: /newer than this program.*Two0000000000002/ };
  await assert.rejects(migrate(older, silent), refusal);
  await assert.rejects(migrationStatus(older), refusal);
});

test('a running node goes on serving a database that the next minor version has migrated', async (t) => {
  const { url } = await emptyDatabase(t);
  await migrate(sourceOf(url, [One0000000000001, Two0000000000002]), silent);
  const older = await sourceOf(url, [One0000000000001]).initialize();
  t.after(() => older.destroy());
  const [major, minor] = version().split('.').map(Number) as [number, number];
  const after = async (by: string | null): Promise<void> => {
    await older.query(`UPDATE migrations SET applied_by = $1 WHERE name LIKE 'Two%'`, [by]);
    await assertServable(older);
  };
  await after(`${major}.${minor}.9`);
  await after(`${major}.${minor + 1}.0`);
  const refusal = { exitCode: 78, message: /newer than this program.*Two0000000000002/ };
  const beyond = [`${major}.${minor + 2}.0`, `${major + 1}.${minor}.0`, 'unknown', null];
  for (const by of beyond) await assert.rejects(after(by), refusal, String(by));
  await older.query(`UPDATE migrations SET name = 'Another' WHERE name LIKE 'One%'`);
  await assert.rejects(assertServable(older), /migrations are pending/);
});

test('the test template has every migration of the project', async (t) => {
  const { url } = await testDatabase(t);
  const { migrations } = await import('../../migrations/index.js');
  const source = await sourceOf(url, [...migrations]).initialize();
  t.after(() => source.destroy());
  assert.ok((await migrationStatus(source)).every((m) => m.appliedAt !== undefined));
});
