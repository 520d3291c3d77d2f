import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkDatabase } from '../../src/database/postgres/check-external.js';
import { createDataSource } from '../../src/database/data-source.js';
import { row } from '../../src/database/sql.js';
import { OperatorError } from '../../src/base/errors/operator.js';
import { tlsDatabase } from '../../testkit/tls-database.js';

const database = await tlsDatabase({ after });
const { url, authority } = database;

const warnings: Error[] = [];
const noteWarning = (warning: Error): void => void warnings.push(warning);
process.on('warning', noteWarning);
after(() => process.off('warning', noteWarning));

/** Whether imgstore's own connections to it are encrypted. */
async function isEncrypted(databaseUrl: string): Promise<boolean | undefined> {
  await checkDatabase(databaseUrl);
  const limits = { poolSize: 1, statementTimeoutMs: 5_000, entities: [], migrations: [] };
  const db = await createDataSource({ url: databaseUrl, ...limits }).initialize();
  try {
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    return (await row<{ ssl: boolean }>(db, sql))?.ssl;
  } finally {
    await db.destroy();
  }
}

async function refusal(databaseUrl: string): Promise<OperatorError> {
  const error = await checkDatabase(databaseUrl).catch((e: unknown) => e);
  assert.ok(error instanceof OperatorError, String(error));
  assert.deepEqual([error.exitCode, error.setting], [78, 'database.url'], error.message);
  return error;
}

test('each sslmode protects as PostgreSQL documents it, without a warning of pg', async () => {
  const trusting = `&sslrootcert=${encodeURIComponent(authority)}`;
  assert.equal(await isEncrypted(url('localhost', '?sslmode=disable')), false);
  assert.equal(await isEncrypted(url('localhost', '?sslmode=require')), true);
  assert.equal(await isEncrypted(url('127.0.0.1', `?sslmode=verify-ca${trusting}`)), true);
  assert.equal(await isEncrypted(url('localhost', `?sslmode=verify-full${trusting}`)), true);
  assert.deepEqual(warnings, []);
});

test('a certificate of an unknown authority, or for another name, is refused with its remedy', async () => {
  const unknown = await refusal(url('localhost', '?sslmode=verify-full'));
  assert.ok(unknown.remedy?.includes('sslmode=verify-full&sslrootcert=FILE'), unknown.remedy);
  const trusting = `&sslrootcert=${encodeURIComponent(authority)}`;
  const other = await refusal(url('127.0.0.1', `?sslmode=verify-full${trusting}`));
  assert.match(other.message, /certificate for another host name/);
  assert.match(other.remedy ?? '', /use the name of the certificate as the host/);
  const missing = await refusal(url('localhost', '?sslmode=verify-full&sslrootcert=/none.crt'));
  assert.ok(missing.message.includes('/none.crt'), missing.message);
  assert.ok(missing.remedy?.includes('sslrootcert'), missing.remedy);
});

test('a server without TLS is refused where TLS is demanded', async () => {
  await database.restart({});
  const error = await refusal(url('localhost', '?sslmode=require'));
  assert.ok(error.remedy?.includes('sslmode=disable'), error.remedy);
  assert.equal(await isEncrypted(url('localhost')), false);
});
