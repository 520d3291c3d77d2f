import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { checkDatabase } from '../../src/database/postgres/check-external.js';
import { asSuperuser, superuser } from '../../src/database/postgres/connect.js';
import { emptyDatabase, testDatabase } from '../../testkit/database.js';

const inspectable = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '';

test('a database with everything passes', async (t) => {
  await checkDatabase((await testDatabase(t)).url);
});

test('an unreachable server is 69; the error names the setting, not the password', async () => {
  const error: unknown = await checkDatabase('postgresql://u:geheim@127.0.0.1:1/d').then(
    () => undefined,
    (e: unknown) => e,
  );
  assert.ok(error instanceof Error && 'exitCode' in error && 'setting' in error);
  assert.equal(error.exitCode, 69);
  assert.equal(error.setting, 'database.url');
  assert.match(error.message, /postgresql:\/\/u:…@127\.0\.0\.1:1\/d/);
  assert.doesNotMatch(inspectable(error), /geheim/);
});

test('a wrong password is 78', async (t) => {
  const { url } = await testDatabase(t);
  const wrong = url.replace(/:[^:@]+@/, ':falsch@');
  await assert.rejects(checkDatabase(wrong), { exitCode: 78, setting: 'database.url' });
});

test('an invalid URL is 78', async () => {
  await assert.rejects(checkDatabase('postgresql://[bad'), { exitCode: 78 });
});

test('PostGIS that is missing and cannot be created is 78, with the statement that fixes it', async (t) => {
  const { url } = await emptyDatabase(t); // its owner is no superuser
  await assert.rejects(checkDatabase(url), {
    exitCode: 78,
    message: /extension postgis is missing/,
    remedy: /^CREATE EXTENSION postgis;/,
  });
});

test('a role that may not create tables is 78', async (t) => {
  const { url } = await testDatabase(t);
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`REVOKE CREATE ON SCHEMA public FROM pg_database_owner, public`);
  await owner.end();
  await assert.rejects(checkDatabase(url), {
    exitCode: 78,
    message: /no permission to create tables/,
  });
});

test('tables of another role are 78, with the statement that fixes it', async (t) => {
  const { url } = await testDatabase(t);
  const admin = url.replace(/\/\/[^:@]+/, `//${superuser}`);
  await asSuperuser(admin, [`ALTER TABLE instance OWNER TO ${superuser}`]);
  await assert.rejects(checkDatabase(url), {
    exitCode: 78,
    message: new RegExp(`belong to ${superuser}, not to`),
    remedy: new RegExp(`^REASSIGN OWNED BY ${superuser} TO `),
  });
});

test('an encoding other than UTF-8 is 78', async (t) => {
  const { url } = await emptyDatabase(t, "ENCODING 'LATIN1' LOCALE 'C'");
  await assert.rejects(checkDatabase(url), { exitCode: 78, message: /LATIN1/ });
});
