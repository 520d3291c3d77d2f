import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { row, rows } from '../../database/sql.js';
import type { Filter } from './list/schemas.js';
import { keptStates } from './list/image-lists.js';
import { selectListTotals } from './list/list.sql.js';
import { sumKept, sumKeptInFolders } from './totals.sql.js';
import type { ListTotals } from '../../http/paging/pages.js';
import {
  countersAgainstRows,
  differencesIn,
  folderTotalsAgainstImages,
  imageTotalsAgainstImages,
  ledgerAgainstImages,
} from '../../ops/verify/account.sql.js';
import { migratedSource, timeLimited } from '../../../testkit/migrated-source.js';
import { insertUser, removeUser } from '../../../testkit/insert-user.js';
import { Random } from '../../../testkit/random.js';

const db = await migratedSource({ after });
const { platformId, userId } = await insertUser(db);
const other = crypto.randomUUID();
await rows(
  db,
  `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
   VALUES ($1, $2, 'other', 1)`,
  [other, platformId],
);

async function folder(owner: string): Promise<string> {
  const id = crypto.randomUUID();
  await rows(db, `INSERT INTO folders (id, user_id, title) VALUES ($1::uuid, $2, $1::text)`, [
    id,
    owner,
  ]);
  return id;
}

const folders = [await folder(userId), await folder(userId), await folder(other)] as const;

/** Inserts images of every state in one statement, in the given folder. */
const add = (owner: string, count: number, folderId: string | null) =>
  rows(
    db,
    `INSERT INTO images (id, platform_id, user_id, folder_id, created_at, deleted_at, upload_type,
       has_det, location, version_id, filename, format, extension, thumb_extension, hash, bytes,
       width, height, thumbhash, original_extension, original_bytes)
     SELECT id, $1, $2, $3, '2025-01-01Z'::timestamptz + n * interval '1 s',
            CASE WHEN random() < 0.2 THEN now() END, (ARRAY['camera', 'gallery', 'request'])[1 + n % 3],
            (ARRAY[true, false, null])[1 + (random() * 2)::int],
            CASE WHEN random() < 0.5 THEN 'POINT(127 37)'::geography END, id, 'f', 'jpeg', 'jpg',
            'jpg', '\\xab', n, 1, 1, '\\xcd', 'jpg', n
     FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $4::int) AS n) AS made`,
    [platformId, owner, folderId, count],
  );

const verifyAll = async (): Promise<void> => {
  for (const comparison of [
    imageTotalsAgainstImages,
    folderTotalsAgainstImages,
    countersAgainstRows,
    ledgerAgainstImages,
  ])
    assert.deepEqual(await differencesIn(db, comparison), [], comparison);
};

const countIn = (owner: string, folderId: string | null, trash: boolean | null) =>
  row<ListTotals>(
    db,
    `SELECT count(*)::integer AS items, coalesce(sum(bytes), 0)::bigint AS bytes FROM images
     WHERE user_id = $1 AND folder_id IS NOT DISTINCT FROM $2
       AND ($3::boolean IS NULL OR (deleted_at IS NOT NULL) = $3)`,
    [owner, folderId, trash],
  );

/** Asserts that kept totals equal counts, for every filter that uses them. */
async function assertKept(): Promise<void> {
  const coordinates = { latitude: 37, longitude: 127 };
  for (const trash of [null, false, true]) {
    for (const det of [undefined, null, false, true]) {
      for (const near of [undefined, { coordinates }]) {
        const filter: Filter = {
          trash,
          periods: [],
          ...(det !== undefined && { det }),
          ...(near && { near }),
        };
        const states = keptStates(filter);
        assert.ok(states);
        for (const owner of [userId, other]) {
          const counted = await selectListTotals(timeLimited(db), owner, filter);
          assert.deepEqual(await sumKept(db, owner, states), counted, JSON.stringify(filter));
        }
      }
    }
    for (const owner of [userId, other]) {
      const kept = await sumKept(db, owner, { trash, topLevel: true });
      assert.deepEqual(kept, await countIn(owner, null, trash));
    }
    for (const id of folders) {
      const owner = id === folders[2] ? other : userId;
      const kept = await sumKeptInFolders(db, owner, id, trash);
      assert.deepEqual(kept, await countIn(owner, id, trash));
    }
  }
}

/** Changes and conditions of statements, as expressions on a row of images. */
const changes = [
  `has_det = (ARRAY[true, false, null])[1 + (random() * 2)::int]`,
  `location = CASE WHEN random() < 0.5 THEN 'POINT(127 38)'::geography END`,
  `deleted_at = CASE WHEN deleted_at IS NULL THEN now() END`, // to the trash and back in one statement
  `deleted_at = now()`,
  `deleted_at = NULL`,
  `folder_id = NULL`,
  `folder_id = CASE user_id WHEN '${userId}' THEN '${folders[1]}'::uuid ELSE '${folders[2]}' END`,
  `folder_id = NULL, deleted_at = NULL, has_det = true, location = NULL`,
  `bytes = bytes + 5, edits = edits + 1, edit_bytes = edit_bytes + 5`,
  `is_shared = NOT is_shared, address_road = 'x'`,
  `created_at = created_at - interval '1 day'`,
  `taken_at = created_at - random() * interval '1 hour'`,
  `taken_at = CASE WHEN taken_at IS NULL THEN created_at END`, // ties
  `id = id`,
];

test('totals equal those counted after any sequence of statements on one row or many', async () => {
  const random = new Random(14);
  for (let step = 0; step < 120; step += 1) {
    const owner = random.of([userId, other]);
    const inFolder = random.of(
      owner === other ? [null, folders[2]] : [null, ...folders.slice(0, 2)],
    );
    const some = `id IN (SELECT id FROM images ${random.below(3) ? `WHERE user_id = '${owner}'` : ''}
      ORDER BY hashtext(id::text || '${step}') LIMIT ${random.of([0, 1, 1, 1, 40])})`;
    if (step % 8 === 0) await add(owner, random.of([1, 1, 25]), inFolder ?? null);
    else if (step % 8 === 7) await rows(db, `DELETE FROM images WHERE ${some}`);
    else await rows(db, `UPDATE images SET ${random.of(changes)} WHERE ${some}`);
    if (step % 10 === 9) await verifyAll();
    if (step % 40 === 39) await assertKept();
  }
});

test('the totals follow an image that moves to another user', async () => {
  await add(userId, 1, null);
  for (const limit of [1, 20]) {
    await rows(
      db,
      `UPDATE images SET user_id = $2, folder_id = NULL
       WHERE id IN (SELECT id FROM images WHERE user_id = $1 LIMIT ${limit})`,
      [userId, other],
    );
    await verifyAll();
  }
});

test('statements that change nothing that is counted do not write totals', async () => {
  const written = () =>
    rows(
      db,
      `SELECT 't', xmin::text FROM image_totals
       UNION ALL SELECT 'f', xmin::text FROM folder_totals
       UNION ALL SELECT 'e', count(*)::text FROM usage_events ORDER BY 1, 2`,
    );
  const before = await written();
  for (const limit of [0, 1, 30]) {
    await rows(
      db,
      `UPDATE images SET is_shared = NOT is_shared, address_det = 'y', updated_at = now()
       WHERE id IN (SELECT id FROM images LIMIT ${limit})`,
    );
  }
  assert.deepEqual(await written(), before);
});

test('totals are deleted with their folder and their user', async () => {
  await add(userId, 10, folders[0]);
  await rows(db, 'DELETE FROM images WHERE folder_id = $1', [folders[0]]);
  await rows(db, 'DELETE FROM folders WHERE id = $1', [folders[0]]);
  await verifyAll();
  await add(userId, 10, folders[1]);
  await removeUser(db, userId);
  await verifyAll();
  for (const table of ['image_totals', 'folder_totals']) {
    assert.deepEqual(await rows(db, `SELECT FROM ${table} WHERE user_id = $1`, [userId]), []);
  }
});
