import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { asSuperuser, superuser } from '../src/database/postgres/connect.js';
import { requiredExtensions } from '../src/database/postgres/engine.js';
import type { Scope } from './scope.js';

/** The migrated database that test databases are copied from; the test runner creates it. */
export const template = 'imgstore_template';

export interface TestDatabase {
  readonly url: string;
}

/** The test server from `scripts/test.ts` or the caller's environment. */
function testServer(): string {
  const url = process.env.IMGSTORE_TEST_DATABASE_URL;
  if (url) return url;
  throw new Error('IMGSTORE_TEST_DATABASE_URL is not set: run tests with "npm test -- PATTERN".');
}

/** The URL of another database on the same server with the same login. */
export function databaseOn(url: string, name: string): string {
  return url.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

export async function onServer(sql: string, server = testServer()): Promise<void> {
  const client = new pg.Client({ connectionString: databaseOn(server, 'postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The database of the test server's URL, which has only the extensions. */
export const source = (server = testServer()): string =>
  decodeURIComponent(new URL(server.replace('@/', '@host/')).pathname.slice(1));

/** A new database with the whole schema and no rows; dropped when `scope` ends. */
export const testDatabase = (scope: Scope): Promise<TestDatabase> =>
  create(`TEMPLATE ${template}`, scope);

/** A new database with the extensions but no schema, as an operator would provide it. */
export const blankDatabase = (scope: Scope): Promise<TestDatabase> =>
  create(`TEMPLATE "${source()}"`, scope);

/** A new database without schema and extensions. @param options more options of CREATE DATABASE. */
export const emptyDatabase = (scope: Scope, options = ''): Promise<TestDatabase> =>
  create(`TEMPLATE template0 ${options}`, scope);

/**
 * A new database whose extensions are in the schema `extensions`, as hosted servers have them.
 * @param visible whether that schema is in the search path.
 */
export async function hostedDatabase(scope: Scope, visible = true): Promise<TestDatabase> {
  const created = await emptyDatabase(scope);
  // Only a superuser creates PostGIS; the test server's has the same password.
  const url = created.url.replace(/\/\/[^:@]+/, `//${superuser}`);
  const path = `ALTER DATABASE ${new URL(url.replace('@/', '@host/')).pathname.slice(1)}
    SET search_path = "$user", public, extensions`;
  await asSuperuser(url, [
    'CREATE SCHEMA extensions',
    'GRANT USAGE ON SCHEMA extensions TO PUBLIC',
    ...requiredExtensions.map((name) => `CREATE EXTENSION ${name} SCHEMA extensions`),
    ...(visible ? [path] : []),
  ]);
  return created;
}

async function create(options: string, scope: Scope): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The test server need not survive a crash, and copying files takes a tenth of the time of WAL_LOG.
  await onServer(`CREATE DATABASE ${name} ${options} STRATEGY FILE_COPY`);
  scope.after(async () => {
    // Not WITH (FORCE): it fails while autovacuum, which runs as another role, is in the database. A
    // plain DROP waits for it, but not for a service that opens its sessions again meanwhile.
    await onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await onServer(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = '${name}' AND usename = current_user`,
    );
    await onServer(`DROP DATABASE ${name}`);
  });
  return { url: databaseOn(testServer(), name) };
}
