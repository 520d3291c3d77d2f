import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows, type Queryable } from '../../../database/sql.js';
import { sumUpPlatformMaps } from './upkeep.js';
import { differencesIn } from '../../../ops/verify/account.sql.js';
import {
  cellsAgainstPlaces,
  placesAgainstImages,
  platformCellsAgainstCells,
} from '../../../ops/verify/place.sql.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';
import { insertUser, removeUser } from '../../../../testkit/insert-user.js';
import {
  edgesOfMap,
  insertPlaced,
  pointSql,
  type PlacedImage,
} from '../../../../testkit/placed-images.js';
import { Random } from '../../../../testkit/random.js';

const db = await migratedSource({ after }, 21); // a writer that waited for a connection would give up

async function assertKept(what = ''): Promise<void> {
  assert.deepEqual(await differencesIn(db, placesAgainstImages), [], `places ${what}`);
  assert.deepEqual(await differencesIn(db, cellsAgainstPlaces), [], `cells ${what}`);
  assert.deepEqual(
    await differencesIn(db, platformCellsAgainstCells),
    [],
    `cells of platforms ${what}`,
  );
}

const random = new Random(15);

/** A few places close together, elsewhere, and at the edges of the map. */
const spots = [
  ...Array.from({ length: 12 }, (_, n) => ({
    latitude: 37.5 + n / 1e4,
    longitude: 127 + (n % 3) / 1e3,
  })),
  ...edgesOfMap,
];

const image = (): PlacedImage => ({
  ...(random.below(4) > 0 && random.of(spots)),
  trashed: random.below(4) === 0,
  bytes: random.below(1000),
  // Few instants, so that ids decide, too.
  createdAt: `2025-01-0${1 + random.below(5)}Z`,
});

/** Changes of one or many images, each a statement on the images whose ids are in $1. */
const changes: readonly (() => string)[] = [
  () => 'UPDATE images SET deleted_at = now() WHERE id = ANY ($1)',
  () => 'UPDATE images SET deleted_at = NULL WHERE id = ANY ($1)',
  () => {
    const { longitude, latitude } = random.of(spots) ?? { longitude: 1, latitude: 1 };
    return `UPDATE images SET location = ${pointSql(`${longitude}`, `${latitude}`)}
            WHERE id = ANY ($1)`;
  },
  () => 'UPDATE images SET location = NULL WHERE id = ANY ($1)',
  () => `UPDATE images SET bytes = ${random.below(1000)} WHERE id = ANY ($1)`,
  () => `UPDATE images SET created_at = '2025-01-0${1 + random.below(5)}Z' WHERE id = ANY ($1)`,
  () => `UPDATE images SET deleted_at = now(), location = ${pointSql('5', '50')}, bytes = 7
         WHERE id = ANY ($1)`,
  () => 'UPDATE images SET has_det = true WHERE id = ANY ($1)',
  () => 'DELETE FROM images WHERE id = ANY ($1)',
];

const sample = async (userId: string, count: number): Promise<string[]> => {
  const all = await rows<{ id: string }>(
    db,
    'SELECT id FROM images WHERE user_id = $1 ORDER BY id',
    [userId],
  );
  return random.shuffled(all.map(({ id }) => id)).slice(0, count);
};

test('places and cells follow all changes of images, single or in bulk', async () => {
  const owner = await insertUser(db);
  for (let step = 0; step < 300; step += 1) {
    const many = random.below(3) === 0;
    const change = random.below(4) > 0 ? random.of(changes) : undefined;
    if (change) {
      const sql = change();
      await rows(db, sql, [await sample(owner.userId, many ? 2 + random.below(12) : 1)]);
    } else {
      await insertPlaced(db, owner, Array.from({ length: many ? 12 : 1 }, image));
    }
    if (step % 10 === 0) await assertKept(`after step ${step}`);
    if (step % 25 === 0) await sumUpPlatformMaps(db, new AbortController().signal);
  }
  await assertKept();
  await rows(db, 'DELETE FROM images WHERE user_id = $1', [owner.userId]);
  for (const table of ['places', 'map_cells']) {
    const left = await rows(db, `SELECT FROM ${table} WHERE user_id = $1`, [owner.userId]);
    assert.equal(left.length, 0, `${table} that are empty are gone`);
  }
});

test('a trashed folder, and trash that expires for several users, are counted', async () => {
  const owners = [await insertUser(db), await insertUser(db)];
  for (const owner of owners) await insertPlaced(db, owner, Array.from({ length: 500 }, image));
  const ids = owners.map(({ userId }) => userId);
  await rows(db, 'UPDATE images SET deleted_at = now() WHERE user_id = ANY ($1)', [ids]);
  await assertKept('trashed');
  await rows(db, `DELETE FROM images WHERE user_id = ANY ($1) AND bytes > 500`, [ids]);
  await assertKept('expired');
});

test('a deleted user leaves no places or cells', async () => {
  for (const count of [1, 50]) {
    const owner = await insertUser(db);
    await insertPlaced(
      db,
      owner,
      Array.from({ length: count }, () => ({ latitude: 1, longitude: 1 })),
    );
    await removeUser(db, owner.userId);
    const left = await rows(
      db,
      `SELECT user_id FROM places WHERE user_id = $1
       UNION ALL SELECT user_id FROM map_cells WHERE user_id = $1`,
      [owner.userId],
    );
    assert.deepEqual(left, []);
  }
});

test('twenty concurrent writers of one user leave exact sums, without deadlock', async () => {
  const owner = await insertUser(db);
  await insertPlaced(db, owner, Array.from({ length: 100 }, image));
  const ids = await sample(owner.userId, 100);
  const write = async (tx: Queryable, writer: number, turn: number): Promise<void> => {
    await rows(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [owner.userId]);
    const change = changes[(writer + turn) % changes.length] ?? (() => '');
    if (turn % 2 === 0)
      await insertPlaced(tx, owner, Array.from({ length: 1 + (writer % 2) }, image));
    else await rows(tx, change(), [ids.slice(writer * 4, writer * 4 + 1 + (turn % 3) * 5)]);
  };
  await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      for (let turn = 0; turn < 10; turn += 1) {
        await db.transaction((tx) => write(tx, writer, turn));
      }
    }),
  );
  await assertKept();
});

test('a damaged map is rebuilt', async () => {
  const owner = await insertUser(db);
  await insertPlaced(db, owner, Array.from({ length: 300 }, image));
  await rows(db, 'UPDATE map_cells SET active_id = NULL WHERE user_id = $1 AND zoom = 9', [
    owner.userId,
  ]);
  await rows(db, 'DELETE FROM places WHERE user_id = $1 AND active_images > 1', [owner.userId]);
  assert.notDeepEqual(await differencesIn(db, cellsAgainstPlaces), []);
  assert.notDeepEqual(await differencesIn(db, placesAgainstImages), []);
  await rows(db, 'SELECT rebuild_map($1)', [owner.userId]);
  await assertKept();
});

test('the version of a map rises only with changes of what the map shows', async () => {
  const owner = await insertUser(db);
  const other = await insertUser(db);
  const version = async (): Promise<number> => {
    const sql = 'SELECT map_version AS version FROM users WHERE id = $1';
    const [found] = await rows<{ version: number }>(db, sql, [owner.userId]);
    return Number(found?.version);
  };
  const folder = crypto.randomUUID();
  await rows(db, `INSERT INTO folders (id, user_id, title) VALUES ($1, $2, 'a')`, [
    folder,
    owner.userId,
  ]);
  const spot = { latitude: 1, longitude: 2 };
  for (const count of [1, 3]) {
    const changes = async (does: boolean, what: string, sql: string): Promise<void> => {
      const before = await version();
      await rows(db, sql, [ids]);
      assert.equal((await version()) > before, does, `${what}, ${count} at once`);
    };
    const update = (what: string): string => `UPDATE images SET ${what} WHERE id = ANY ($1)`;
    const many = <T>(one: T): T[] => Array.from({ length: count }, () => one);
    let before = await version();
    let ids = await insertPlaced(db, owner, many({}));
    await changes(false, 'has_det elsewhere', update('has_det = true'));
    await changes(false, 'trash elsewhere', update('deleted_at = now()'));
    await changes(false, 'deletion elsewhere', 'DELETE FROM images WHERE id = ANY ($1)');
    await insertPlaced(db, other, many(spot));
    assert.equal(await version(), before, 'what has no place is on no map, nor what others have');
    ids = await insertPlaced(db, owner, many(spot));
    assert.ok((await version()) > before, 'an upload');
    await changes(true, 'a move', update(`location = ${pointSql('5', '50')}`));
    await changes(true, 'has_det', update('has_det = true'));
    await changes(true, 'a folder', update(`folder_id = '${folder}'`));
    await changes(false, 'sharing', update('is_shared = true'));
    await changes(
      false,
      'an edit',
      update('bytes = 77, edits = 1, version_id = gen_random_uuid()'),
    );
    await changes(false, 'an address', update(`address_road = 'a'`));
    await changes(true, 'trash', update('deleted_at = now()'));
    await changes(false, 'has_det in the trash', update('has_det = false'));
    await changes(false, 'a move in the trash', update(`location = ${pointSql('7', '7')}`));
    await changes(true, 'restoring', update('deleted_at = NULL'));
    await changes(true, 'deletion', 'DELETE FROM images WHERE id = ANY ($1)');
    ids = await insertPlaced(db, owner, many({ ...spot, trashed: true }));
    before = await version();
    await changes(false, 'deletion from the trash', 'DELETE FROM images WHERE id = ANY ($1)');
  }
});
