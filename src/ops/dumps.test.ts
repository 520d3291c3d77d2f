import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { insertUser } from '../../testkit/insert-user.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { onlyRow, rows } from '../database/sql.js';
import { selectTablesOfPlatform, settleStore } from './dumps.sql.js';

const db = await migratedSource({ after });
const { platformId, userId } = await insertUser(db);

test('every table is copied whole, copied by platform, or excluded on purpose', async () => {
  const tables = await selectTablesOfPlatform(db, 'public', platformId);
  const leftOut = tables.filter(({ condition }) => condition === null).map(({ table }) => table);
  // Short-lived rows, how far a job has come, what a bucket holds, the reclaim queue, pieces, and results of verification.
  assert.deepEqual(leftOut, [
    'public.custody_scan',
    'public.idempotency_keys',
    'public.job_runs',
    'public.legal_holds',
    'public.object_reclaim',
    'public.resumable_pieces',
    'public.verification_findings',
    'public.verifications',
  ]);
});

test('a restore drops open uploads, whose pieces no backup has', async () => {
  await rows(
    db,
    `WITH upload AS (
       INSERT INTO resumable_uploads (id, platform_id, user_id, state, length, received, expires_at)
       VALUES ($1, $2, $3, 'receiving', 100, 10, now() + interval '1 day') RETURNING id)
     INSERT INTO resumable_pieces (key, upload_id, start, bytes) SELECT 'piece', id, 0, 10 FROM upload`,
    [randomUUID(), platformId, userId],
  );
  const announced = () =>
    onlyRow(
      db,
      `SELECT announced_bytes AS bytes, (SELECT count(*)::int FROM resumable_pieces) AS pieces
       FROM users WHERE id = $1`,
      [userId],
    );
  assert.deepEqual(await announced(), { bytes: 100, pieces: 1 });
  await settleStore(db, 'local');
  assert.deepEqual(await announced(), { bytes: 0, pieces: 0 });
});
