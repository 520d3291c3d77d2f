import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { EntityManager } from 'typeorm';
import { testDatabase } from '../../testkit/database.js';
import { createDataSource } from './data-source.js';
import { isAbortedByServer, prepared, preparedName, row, rows } from './sql.js';

const undo: (() => Promise<void>)[] = [];
after(async () => {
  for (const step of undo.reverse()) await step();
});
const { url } = await testDatabase({ after: (step) => undo.push(step) });
const options = { poolSize: 2, statementTimeoutMs: 5_000, entities: [], migrations: [] };
const db = await createDataSource({ url, ...options }).initialize();
undo.push(() => db.destroy());
await db.query('CREATE TABLE shelves (id int PRIMARY KEY, books int)');
await db.query('INSERT INTO shelves VALUES (1, 0), (2, 0)');

const add = (tx: EntityManager, id: number): Promise<unknown> =>
  tx.query('UPDATE shelves SET books = books + 1 WHERE id = $1', [id]);

/** Two concurrent transactions, each waiting after its first step for the other's. */
async function atOnce(
  steps: (tx: EntityManager, n: number) => readonly [() => unknown, () => unknown],
  isolation: 'READ COMMITTED' | 'SERIALIZABLE' = 'READ COMMITTED',
): Promise<unknown[]> {
  let here = 0;
  let bothHere = (): void => undefined;
  const meeting = new Promise<void>((resolve) => (bothHere = resolve));
  const one = (n: number): Promise<unknown> =>
    db.transaction(isolation, async (tx) => {
      const [first, second] = steps(tx, n);
      await first();
      if ((here += 1) === 2) bothHere();
      await meeting;
      await second();
    });
  const ends = await Promise.allSettled([one(1), one(2)]);
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
}

test('a deadlock aborts one transaction', async () => {
  const failures = await atOnce((tx, n) => [() => add(tx, n), () => add(tx, 3 - n)]);
  assert.deepEqual(failures.map(isAbortedByServer), [true]);
});

test('a serialization failure aborts one transaction', async () => {
  const sum = (tx: EntityManager) => tx.query('SELECT sum(books) FROM shelves');
  const failures = await atOnce((tx, n) => [() => sum(tx), () => add(tx, n)], 'SERIALIZABLE');
  assert.deepEqual(failures.map(isAbortedByServer), [true]);
});

test('a lock or statement timeout aborts the statement', async () => {
  const holdAndAsk = (limit: string) =>
    db.transaction(async (holder) => {
      await add(holder, 1);
      return db.transaction(async (tx) => {
        await tx.query(`SET LOCAL ${limit} = '50ms'`);
        await add(tx, 1);
      });
    });
  for (const limit of ['lock_timeout', 'statement_timeout']) {
    await assert.rejects(holdAndAsk(limit), isAbortedByServer, limit);
  }
});

test('a faulty statement does not count as aborted', async () => {
  await assert.rejects(db.query('SELECT nonsense'), (error) => !isAbortedByServer(error));
});

// Statements that a connection keeps under a name.

const single = await createDataSource({ url, ...options, poolSize: 1 }).initialize();
undo.push(() => single.destroy());

/** Continues on a new connection; there is one at a time. */
async function reconnect(): Promise<void> {
  await single.destroy();
  await single.initialize();
}

await rows(single, 'CREATE TABLE things (id integer, name text)');
await rows(single, `INSERT INTO things VALUES (1, 'one')`);

const named = prepared('SELECT name FROM things WHERE id = $1');
const find = (id = 1) => row<{ name: string | number }>(single, named, [id]);

const known = async () =>
  (
    await rows<{ name: string }>(single, 'SELECT name FROM pg_prepared_statements ORDER BY name')
  ).map(({ name }) => name);

test('a marked statement is kept by a connection under a name, others are not', async () => {
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await find(), { name: 'one' });
  assert.equal(await find(2), undefined);
  await rows(single, 'SELECT id FROM things WHERE id = $1', [1]);
  assert.deepEqual(await known(), [preparedName(named)]);
  await reconnect();
  assert.deepEqual(await known(), []);
  assert.deepEqual(await find(), { name: 'one' });
  assert.deepEqual(await known(), [preparedName(named)]);
});

test('it answers after a migration changed the type of a column', async () => {
  assert.deepEqual(await find(), { name: 'one' });
  await rows(single, 'ALTER TABLE things ALTER name TYPE integer USING length(name)');
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 3 });
  await rows(single, `ALTER TABLE things ALTER name TYPE text USING 'one'`);
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
});

test('it answers on a session that lost it, or has another statement of its name', async () => {
  assert.deepEqual(await find(), { name: 'one' });
  await rows(single, 'DEALLOCATE ALL');
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
  await reconnect();
  await rows(single, `PREPARE ${preparedName(named)} (integer) AS SELECT $1`);
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await find(), { name: 'one' });
});

test('a transaction does not use it, since a stale statement would abort the transaction', async () => {
  await reconnect();
  await single.transaction(async (tx) => {
    assert.deepEqual(await row(tx, named, [1]), { name: 'one' });
    assert.deepEqual(await rows(tx, 'SELECT name FROM pg_prepared_statements'), []);
  });
});

test('other errors are reported, not retried', async () => {
  const failing = prepared('INSERT INTO things VALUES ($1, (1 / $2::integer)::text) RETURNING id');
  await assert.rejects(rows(single, failing, [2, 0]), /division by zero/);
  assert.deepEqual(await rows(single, failing, [2, 1]), [{ id: 2 }]);
});

test('a limited number of texts is kept; others run without a name', async () => {
  const texts = Array.from({ length: 100 }, (_, n) => prepared(`SELECT ${n} AS n`));
  assert.equal(texts.filter((text) => preparedName(text)).length <= 40, true);
  assert.notEqual(preparedName(named), undefined);
  assert.equal(preparedName(texts[99] ?? ''), undefined);
  assert.deepEqual(await row(single, texts[99] ?? ''), { n: 99 });
});
