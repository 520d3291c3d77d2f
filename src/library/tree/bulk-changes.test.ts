import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { insertUser } from '../../../testkit/insert-user.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { Random } from '../../../testkit/random.js';
import { JoiningDatabase, JointTransaction } from '../../database/joint-transaction.js';
import { column, onlyValue, rows, value } from '../../database/sql.js';
import { Findings } from '../../ops/verify/findings.js';
import { verifyDatabase } from '../../ops/verify/database.js';
import { updateImage } from '../images/update/update.sql.js';
import { lockUsage } from '../quota/usage.js';
import { selectChanges, type BulkChange } from './bulk-changes.sql.js';
import {
  BulkChanges,
  deleteTree,
  deleteUser,
  finishAllChanges,
  finishChanges,
} from './bulk-changes.js';
import { restoreTree, trashTree } from './bulk-changes.js';

const db = await migratedSource({ after }, 4);
const never = new AbortController().signal;

/** A user with a tree of folders, and so many images in each. */
async function planted(perFolder: number, folders = 3) {
  const { platformId, userId } = await insertUser(db);
  const ids: string[] = [];
  for (let n = 0; n < folders; n += 1) {
    const [id, parent] = [uuidv7(), ids[n - 1] ?? null];
    ids.push(id);
    await rows(
      db,
      'INSERT INTO folders (id, user_id, parent_id, title) VALUES ($1::uuid, $2, $3, $1::text)',
      [id, userId, parent],
    );
    const images = Array.from({ length: perFolder }, () => ({
      folder_id: id,
      place: [37.5, 127] as const,
    }));
    await seedImages({ db }, { id: userId, platformId }, images);
  }
  return { platformId, userId, folders: ids };
}

/** The first transaction of a change, as a request makes it. */
const begin = <T>(userId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await lockUsage(tx, userId);
    return work(tx);
  });

const counts = async (userId: string): Promise<[active: number, trashed: number]> => {
  const count = (state: string) =>
    onlyValue<number>(
      db,
      `SELECT count(*)::int FROM images WHERE user_id = $1 AND deleted_at ${state}`,
      [userId],
    );
  return [await count('IS NULL'), await count('IS NOT NULL')];
};

async function assertExact(): Promise<void> {
  const findings = new Findings();
  await verifyDatabase(db, findings);
  assert.deepEqual(findings.listed, []);
}

describe('a tree of more images than one transaction changes', () => {
  test('is trashed and restored in batches, each with its entries in the feed', async () => {
    const { userId, folders } = await planted(400);
    const folderId = folders[0] ?? '';
    const left = await begin(userId, (tx) => trashTree(tx, { userId, folderId }));
    assert.ok(left);
    assert.deepEqual(await counts(userId), [700, 500]);
    await assertExact();
    assert.equal(await finishChanges(db, left), true);
    assert.deepEqual(await counts(userId), [0, 1_200]);
    const sizes = await column<number>(
      db,
      `SELECT count(*)::int FROM images WHERE user_id = $1 GROUP BY xmin::text`,
      [userId],
    );
    assert.ok(Math.max(...sizes) <= 500, 'images per transaction');
    const moments = `SELECT count(DISTINCT (deleted_at, updated_at))::int FROM images WHERE user_id = $1`;
    assert.equal(await value(db, moments, [userId]), 1, 'those of the mark');
    const told = `SELECT count(*)::int FROM changes WHERE user_id = $1 AND type = 1 AND action = 4`;
    assert.equal(await value(db, told, [userId]), 1_200);
    const at = left.at ?? '';
    const back = await begin(userId, (tx) =>
      restoreTree(tx, { userId, folderId }, { root: folderId, at }),
    );
    assert.ok(back);
    assert.equal(await finishAllChanges(db, never), true);
    assert.deepEqual(await counts(userId), [1_200, 0]);
    assert.deepEqual(await selectChanges(db), []);
    await assertExact();
  });

  test('is deleted: nobody sees the folders any more, and all of it goes', async () => {
    const { userId, folders } = await planted(300);
    const folderId = folders[0] ?? '';
    const left = await begin(userId, (tx) => deleteTree(tx, { userId, folderId }));
    assert.ok(left);
    const seen = `SELECT id FROM folders WHERE user_id = $1 AND deleting_at IS NULL`;
    assert.deepEqual(await column(db, seen, [userId]), []);
    const told = `SELECT count(*)::int FROM changes WHERE user_id = $1 AND type = 3 AND action = 5`;
    assert.equal(await value(db, told, [userId]), 3, 'in the feed at once');
    await Promise.all([finishChanges(db, left), finishAllChanges(db, never)]);
    assert.deepEqual(await counts(userId), [0, 0]);
    assert.equal(await value(db, told, [userId]), 3, 'once');
    assert.deepEqual(await column(db, 'SELECT id FROM folders WHERE user_id = $1', [userId]), []);
    await assertExact();
  });

  test('stops when told to, and another process goes on', async () => {
    const { userId, folders } = await planted(400);
    const tree = { userId, folderId: folders[0] ?? '' };
    const left = await begin(userId, (tx) => trashTree(tx, tree));
    assert.ok(left);
    assert.equal(await finishChanges(db, left, { until: 0 }), false);
    assert.deepEqual(await counts(userId), [700, 500]);
    assert.equal(await finishAllChanges(db, AbortSignal.abort()), true);
    assert.equal((await selectChanges(db, { userId })).length, 1, 'nothing is lost');
    assert.equal(await finishAllChanges(db, never), true);
    assert.deepEqual(await counts(userId), [0, 1_200]);
  });

  test('an image that is moved out before its batch comes takes the state of the folder along', async () => {
    const { userId, folders } = await planted(400);
    const folderId = folders[0] ?? '';
    const left = await begin(userId, (tx) => trashTree(tx, { userId, folderId }));
    assert.ok(left);
    const move = async (state: string): Promise<void> => {
      const [moved = ''] = await column<string>(
        db,
        `SELECT id FROM images WHERE user_id = $1 AND folder_id IS NOT NULL AND deleted_at ${state} LIMIT 1`,
        [userId],
      );
      await updateImage(db, userId, moved, { folderId: null });
    };
    await move('IS NULL');
    assert.equal(await finishChanges(db, left), true);
    assert.deepEqual(await counts(userId), [0, 1_200]);
    const event = { root: folderId, at: left.at ?? '' };
    const back = await begin(userId, (tx) => restoreTree(tx, { userId, folderId }, event));
    assert.ok(back);
    await move('IS NOT NULL');
    assert.equal(await finishChanges(db, back), true);
    assert.deepEqual(await counts(userId), [1_199, 1], 'the first one is out of the tree by then');
    await assertExact();
  });
});

test('a user with much is unknown at once, and all rows go', async () => {
  const { platformId, userId } = await planted(400);
  await rows(
    db,
    `WITH s AS (INSERT INTO upload_sets (id, user_id, expected, arrived)
       VALUES (gen_random_uuid(), $1, 9000, 0) RETURNING id)
     INSERT INTO upload_set_files (upload_set_id, user_id, hash, position, arrived)
     SELECT s.id, $1, sha256(n::text::bytea), n, false FROM s, generate_series(1, 9000) AS n`,
    [userId],
  );
  const { deleted, left } = await db.transaction((tx) => deleteUser(tx, userId));
  assert.deepEqual(deleted, { user_id: userId, deleted_folders: 3, deleted_images: 1_200 });
  assert.deepEqual(await rows(db, 'SELECT FROM users WHERE id = $1', [userId]), []);
  await assert.rejects(
    db.transaction((tx) => deleteUser(tx, userId)),
    { code: 'user_not_found' },
  );
  assert.equal(await finishChanges(db, left, { until: 0 }), false);
  assert.equal(await finishAllChanges(db, never), true);
  const tables = ['images', 'image_versions', 'folders', 'places', 'map_cells', 'upload_sets'];
  for (const table of [...tables, 'upload_set_files', 'image_totals', 'bulk_changes']) {
    assert.deepEqual(
      await rows(db, `SELECT FROM ${table} WHERE user_id = $1`, [userId]),
      [],
      table,
    );
  }
  const told = await column(
    db,
    `SELECT type || '.' || action FROM changes WHERE user_id = $1 ORDER BY seq DESC LIMIT 1`,
    [userId],
  );
  assert.deepEqual(told, ['7.5'], 'the last entry is that the user is deleted');
  const events = 'SELECT sum(active_images)::int FROM usage_events WHERE platform_id = $1';
  assert.equal(await value(db, events, [platformId]), 0);
  await assertExact();
});

test('changes that follow each other before they are finished end as if each had been', async () => {
  const random = new Random(47);
  for (let round = 0; round < 4; round += 1) {
    const { userId, folders } = await planted(260, 3);
    /** When each folder was trashed, and with which; undefined while it is active. */
    const trashed = new Map<string, { root: string; at: string }>();
    for (let step = 0; step < 6; step += 1) {
      const at = random.below(folders.length);
      const folderId = folders[at] ?? '';
      const event = trashed.get(folderId);
      const below = folders.slice(at);
      const above = folders[at - 1];
      if (event && above !== undefined && trashed.has(above)) continue; // would go to the top level
      const left = await begin(userId, (tx): Promise<BulkChange | undefined> =>
        event ? restoreTree(tx, { userId, folderId }, event) : trashTree(tx, { userId, folderId }),
      );
      if (event) {
        for (const id of below) if (trashed.get(id)?.at === event.at) trashed.delete(id);
      } else {
        const now = await onlyValue<string>(
          db,
          'SELECT deleted_at::text AS at FROM folders WHERE id = $1',
          [folderId],
        );
        for (const id of below) if (!trashed.has(id)) trashed.set(id, { root: folderId, at: now });
      }
      if (left && random.below(2) === 0) await finishChanges(db, left, { until: 0 });
    }
    assert.equal(await finishAllChanges(db, never), true);
    const found = await rows<{ id: string; at: string | null; images: number; states: number }>(
      db,
      `SELECT f.id, f.deleted_at::text AS at, count(*)::int AS images,
              count(DISTINCT coalesce(i.deleted_at, '-infinity'))::int AS states
       FROM folders f JOIN images i ON i.folder_id = f.id
         AND i.deleted_at IS NOT DISTINCT FROM f.deleted_at
       WHERE f.user_id = $1 GROUP BY f.id ORDER BY f.id`,
      [userId],
    );
    assert.deepEqual(
      found,
      folders.map((id) => ({ id, at: trashed.get(id)?.at ?? null, images: 260, states: 1 })),
    );
    await assertExact();
  }
});

test('a change that fails does not hold up those of others, and is reported', async () => {
  const [bad, good] = [await planted(300), await planted(300)];
  for (const { userId, folders } of [bad, good]) {
    const tree = { userId, folderId: folders[0] ?? '' };
    assert.ok(await begin(userId, (tx) => trashTree(tx, tree)));
  }
  await rows(
    db,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the disk is on fire'; END $$`,
  );
  await rows(
    db,
    `CREATE TRIGGER refuse BEFORE UPDATE ON images FOR EACH ROW WHEN (OLD.user_id = '${bad.userId}')
     EXECUTE FUNCTION refuse()`,
  );
  await assert.rejects(finishAllChanges(db, never), /on fire/);
  assert.deepEqual(await counts(good.userId), [0, 900]);
  assert.deepEqual(await counts(bad.userId), [400, 500]);
  await rows(db, 'DROP FUNCTION refuse() CASCADE');
  assert.equal(await finishAllChanges(db, never), true);
  assert.deepEqual(await counts(bad.userId), [0, 900]);
});

test('in the transaction of a key, what is much goes on once that is committed', async () => {
  const { userId, folders } = await planted(300);
  const joining = new JoiningDatabase(db);
  const bulk = new BulkChanges(joining, never);
  const tree = { userId, folderId: folders[0] ?? '' };
  const ended = await new JointTransaction(db).run(async () => {
    const left = await joining.transaction(async (tx) => {
      await lockUsage(tx, userId);
      return trashTree(tx, tree);
    });
    assert.ok(left);
    return bulk.settle(left);
  });
  assert.equal(ended, false);
  await eventually('all is trashed', async () => (await counts(userId))[0] === 0);
  await new JointTransaction(db).run(async () => {
    const few = await insertUser(db);
    const answer = await bulk.deleteUser(few.userId);
    assert.deepEqual(answer, { user_id: few.userId, deleted_folders: 0, deleted_images: 0 });
  });
  await eventually('nothing is left', async () => (await selectChanges(db)).length === 0);
});
