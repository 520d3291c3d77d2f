import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { EntityManager } from 'typeorm';
import { testDatabase } from '../../testkit/database.js';
import { createDataSource } from './data-source.js';
import { isAbortedByServer } from './sql.js';

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
