import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { onlyValue } from '../../database/sql.js';
import { selectFeedHolders } from './upkeep.js';

const db = await migratedSource({ after });

test('a transaction that writes, in whatever database, is named while it holds up feeds', async () => {
  const database = await onlyValue<string>(db, 'SELECT current_database()');
  const writer = db.createQueryRunner();
  await writer.startTransaction();
  const [{ pid }] = (await writer.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  const found = async () =>
    (await selectFeedHolders(db)).find(({ holder }) => holder === `process ${pid}`);
  assert.equal(await found(), undefined, 'it has only read');
  await writer.query('SELECT pg_current_xact_id()');
  const held = await found();
  assert.equal(held?.database, database);
  assert.ok(held.seconds !== null && held.seconds >= 0);
  await writer.rollbackTransaction();
  await writer.release();
  assert.equal(await found(), undefined);
});
