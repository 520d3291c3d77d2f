import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createDataSource } from '../../src/database/data-source.js';
import { row, rows } from '../../src/database/sql.js';
import { tryWithLock } from '../../src/database/locks.js';
import { eventually } from '../../testkit/eventually.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { freshEvents, uploadedAt } from '../../testkit/ledger.js';
import { joinedHome } from '../../testkit/nodes.js';
import { serve } from '../../testkit/appliance.js';

/** The session that holds the lock of the roll-up. */
const holder = `SELECT pid FROM pg_locks
  WHERE locktype = 'advisory' AND objid = 1 AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

test('another node takes over a job when the node running it is killed', async (t) => {
  const { home, url } = await initializedHome(t);
  const limits = { poolSize: 4, statementTimeoutMs: 0, entities: [], migrations: [] };
  const db = await createDataSource({ url, ...limits }).initialize();
  t.after(() => db.destroy());
  const [id, platformId] = [randomUUID(), randomUUID()];
  await rows(db, `INSERT INTO platforms (id, name) VALUES ($1, 'p')`, [platformId]);
  await uploadedAt(db, { id, platformId }, ['2024-05-10T12:00:00Z']);

  // The roll-up, which each node tries when it starts, is blocked at its first statement.
  const gate = db.createQueryRunner();
  await gate.startTransaction();
  await gate.query('LOCK TABLE stats_roll_up IN ACCESS EXCLUSIVE MODE');
  const first = await serve(t, home);
  await eventually('the first node does it', async () => (await rows(db, holder)).length === 1);
  const session = await row(db, holder);
  assert.equal(await tryWithLock(db, 'rollUp', async () => 'mine'), undefined, 'nobody else may');

  const second = await serve(t, await joinedHome(t, home), ['--database-url', url]);
  assert.deepEqual(await row(db, holder), session, 'the second node waits for its turn');
  await first.end('SIGKILL');
  const other = async () => !isDeepStrictEqual((await row(db, holder)) ?? session, session);
  await eventually('the second node does it', other);
  assert.equal(await freshEvents(db, platformId), 1);
  await gate.rollbackTransaction();
  await gate.release();
  await eventually('it is done', async () => (await freshEvents(db, platformId)) === 0);
  assert.equal(await second.end(), 0);
});
