import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { rows, value } from '../../database/sql.js';
import { queueKeys, unqueueKeys } from '../reclaim/reclaim.js';
import { markObjectsDeleted } from './platform-removal.js';

const db = await migratedSource({ after });

test('the files of a platform count as deleted only when none of them is queued any more', async () => {
  const [rowsGone, rowsLeft] = [crypto.randomUUID(), crypto.randomUUID()];
  await rows(
    db,
    'INSERT INTO erasures (platform_id, rows_deleted_at) VALUES ($1, now()), ($2, NULL)',
    [rowsGone, rowsLeft],
  );
  const keys = [`${rowsGone}/a.jpg`];
  await queueKeys(db, keys);
  const deleted = async (): Promise<string[]> => {
    await markObjectsDeleted(db);
    const found = await rows<{ id: string }>(
      db,
      `SELECT platform_id AS id FROM erasures
       WHERE platform_id = ANY ($1::uuid[]) AND objects_deleted_at IS NOT NULL`,
      [[rowsGone, rowsLeft]],
    );
    return found.map(({ id }) => id);
  };
  assert.deepEqual(await deleted(), []);
  await unqueueKeys(db, keys);
  assert.deepEqual(await deleted(), [rowsGone]);
  const since = () =>
    value<Date>(db, 'SELECT objects_deleted_at FROM erasures WHERE platform_id = $1', [rowsGone]);
  const first = await since();
  await markObjectsDeleted(db);
  assert.deepEqual(await since(), first);
});
