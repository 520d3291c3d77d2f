import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../testkit/database.js';
import { createDataSource } from './data-source.js';
import { prepared, preparedName, row, rows } from './sql.js';

const { url } = await testDatabase({ after });
const options = { url, poolSize: 1, statementTimeoutMs: 20_000, entities: [], migrations: [] };
const db = await createDataSource(options).initialize();
after(() => db.destroy());

/** Continues on a new connection; there is one at a time. */
async function reconnect(): Promise<void> {
  await db.destroy();
  await db.initialize();
}

await rows(db, 'CREATE TABLE things (id integer, name text)');
await rows(db, `INSERT INTO things VALUES (1, 'one')`);

const named = prepared('SELECT name FROM things WHERE id = $1');
const find = (id = 1) => row<{ name: string | number }>(db, named, [id]);

const known = async () =>
  (await rows<{ name: string }>(db, 'SELECT name FROM pg_prepared_statements ORDER BY name')).map(
    ({ name }) => name,
  );

test('a marked statement is kept by a connection under a name, others are not', async () => {
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await find(), { name: 'one' });
  assert.equal(await find(2), undefined);
  await rows(db, 'SELECT id FROM things WHERE id = $1', [1]);
  assert.deepEqual(await known(), [preparedName(named)]);
  await reconnect();
  assert.deepEqual(await known(), []);
  assert.deepEqual(await find(), { name: 'one' });
  assert.deepEqual(await known(), [preparedName(named)]);
});

test('it answers after a migration changed the type of a column', async () => {
  assert.deepEqual(await find(), { name: 'one' });
  await rows(db, 'ALTER TABLE things ALTER name TYPE integer USING length(name)');
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 3 });
  await rows(db, `ALTER TABLE things ALTER name TYPE text USING 'one'`);
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
});

test('it answers on a session that lost it, or has another statement of its name', async () => {
  assert.deepEqual(await find(), { name: 'one' });
  await rows(db, 'DEALLOCATE ALL');
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
  await reconnect();
  await rows(db, `PREPARE ${preparedName(named)} (integer) AS SELECT $1`);
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
});

test('a transaction does not use it, since a stale statement would abort the transaction', async () => {
  await reconnect();
  await db.transaction(async (tx) => {
    assert.deepEqual(await row(tx, named, [1]), { name: 'one' });
    assert.deepEqual(await rows(tx, 'SELECT name FROM pg_prepared_statements'), []);
  });
});

test('other errors are reported, not retried', async () => {
  const failing = prepared('INSERT INTO things VALUES ($1, (1 / $2::integer)::text) RETURNING id');
  await assert.rejects(rows(db, failing, [2, 0]), /division by zero/);
  assert.deepEqual(await rows(db, failing, [2, 1]), [{ id: 2 }]);
});

test('a limited number of texts can be marked', () => {
  const text = (n: number) => `SELECT ${n}`;
  assert.throws(() => Array.from({ length: 100 }, (_, n) => prepared(text(n))), RangeError);
  assert.equal(prepared(named), named);
  assert.equal(preparedName(text(99)), undefined);
});
