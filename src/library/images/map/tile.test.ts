import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows, type Queryable } from '../../../database/sql.js';
import type { MapOwner } from './schemas.js';
import { sumUpPlatformMaps } from './upkeep.js';
import { differencesIn } from '../../../ops/verify/account.sql.js';
import { platformCellsAgainstCells } from '../../../ops/verify/place.sql.js';
import { selectTile } from './tile.sql.js';
import type { Tile } from './cells.js';
import { insertUser, removeUser } from '../../../../testkit/insert-user.js';
import {
  anyImage,
  countOf,
  onMap,
  random,
  shownBy,
  spots,
  tileOptions,
} from '../../../../testkit/map-contents.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';
import { insertPlaced, pointSql } from '../../../../testkit/placed-images.js';

const db = await migratedSource({ after }, 24);

/** The newest image of each tile of a zoom. */
const newestOf = async (tx: Queryable, owner: MapOwner, zoom: number): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      tx,
      `SELECT DISTINCT ON (map_x(location) >> ${26 - zoom}, map_y(location) >> ${26 - zoom}) id
       FROM images WHERE ${onMap(owner)}
       ORDER BY map_x(location) >> ${26 - zoom}, map_y(location) >> ${26 - zoom},
                created_at DESC, id DESC`,
    )
  ).map(({ id }) => id);

async function assertExact(tx: Queryable, owner: MapOwner, zooms: readonly number[]) {
  const count = await countOf(tx, onMap(owner));
  for (const z of zooms) {
    const { count: found, newest, ids } = await shownBy(tx, owner, z);
    assert.equal(found, count, `zoom ${z}`);
    if (ids.length === 0) {
      const expected = await newestOf(tx, owner, Math.min(z + 4, 24));
      assert.deepEqual(newest.toSorted(), expected.toSorted(), `newest at zoom ${z}`);
    } else assert.equal(new Set(ids).size, ids.length, `each once at zoom ${z}`);
  }
}

const allZooms = Array.from({ length: 23 }, (_, z) => z);

test('at every zoom, the tiles add up to all images with a location, each counted once', async () => {
  const owner = await insertUser(db);
  await insertPlaced(db, owner, Array.from({ length: 1_500 }, anyImage));
  const user = { kind: 'users', id: owner.userId } as const;
  await assertExact(db, user, allZooms);
  const other = await insertUser(db, owner.platformId);
  await insertPlaced(db, other, Array.from({ length: 300 }, anyImage));
  await assertExact(db, user, [0, 8, 13]);
  await assertExact(db, { kind: 'platforms', id: owner.platformId }, [0, 5, 9, 13, 14, 18, 22]);
});

test('an edge belongs to the tile east and south of it', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, [{ latitude: 0, longitude: 0 }]);
  const shown = async (tile: Tile) => (await selectTile(db, user, tile, tileOptions)) !== undefined;
  assert.deepEqual(
    await Promise.all([
      shown({ z: 1, x: 1, y: 1 }),
      shown({ z: 1, x: 0, y: 1 }),
      shown({ z: 1, x: 1, y: 0 }),
      shown({ z: 1, x: 0, y: 0 }),
    ]),
    [true, false, false, false],
  );
});

test('many images at one location are a cluster at any zoom, with exact counts', async () => {
  const owner = await insertUser(db);
  const many = Array.from({ length: 1_200 }, (_, n) => ({
    latitude: 37.5,
    longitude: 127 + (n % 30) / 1e7,
  }));
  await insertPlaced(db, owner, many);
  const user = { kind: 'users', id: owner.userId } as const;
  await assertExact(db, user, [14, 18, 22]);
  assert.equal((await shownBy(db, user, 22)).ids.length, 0);
});

test('with twenty concurrent writers, every snapshot is exact', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, Array.from({ length: 200 }, anyImage));
  let writing = true;
  const writer = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      const ids = await insertPlaced(db, owner, [anyImage(), anyImage()].slice(turn % 2));
      const { longitude, latitude } = random.of(spots) ?? { longitude: 1, latitude: 1 };
      const change = [
        `deleted_at = now()`,
        `deleted_at = NULL`,
        `location = ${pointSql(`${longitude}`, `${latitude}`)}`,
      ][random.below(3)];
      await rows(db, `UPDATE images SET ${change} WHERE id = ANY ($1)`, [ids]);
      if (turn % 3 === 0) await rows(db, 'DELETE FROM images WHERE id = $1', [ids[0]]);
    }
  };
  const written = Promise.all(Array.from({ length: 20 }, writer)).finally(() => (writing = false));
  let looks = 0;
  do {
    await db.transaction('REPEATABLE READ', (tx) => assertExact(tx, user, [3, 10]));
    looks += 1;
  } while (writing);
  await written;
  assert.ok(looks > 1);
  await assertExact(db, user, [0, 6, 12, 15]);
});

const sumUp = () => sumUpPlatformMaps(db, new AbortController().signal);

/** The newest images on the map of the platform in $1. */
const newestShown = (count: number): string =>
  `id IN (SELECT id FROM images
          WHERE platform_id = $1 AND location IS NOT NULL AND deleted_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${count})`;

/** Changes of images of that platform: of the newest, of a few, and of a whole user. */
const platformChanges = [
  `UPDATE images SET deleted_at = now() WHERE ${newestShown(20)}`,
  `UPDATE images SET deleted_at = NULL WHERE platform_id = $1 AND get_byte(uuid_send(id), 15) < 64`,
  `UPDATE images SET created_at = '2025-02-01Z' WHERE id = (
     SELECT id FROM images WHERE platform_id = $1 ORDER BY created_at, id LIMIT 1)`,
  `UPDATE images SET created_at = created_at - interval '9 days' WHERE ${newestShown(5)}`,
  `UPDATE images SET location = ${pointSql('127.003', '37.503')} WHERE ${newestShown(20)}`,
  `DELETE FROM images WHERE platform_id = $1 AND get_byte(uuid_send(id), 15) > 192`,
];

test('the map of a platform is exact, with changes that are not added up yet and without', async () => {
  const first = await insertUser(db);
  const platform = { kind: 'platforms', id: first.platformId } as const;
  const users = [first, await insertUser(db, platform.id), await insertUser(db, platform.id)];
  for (const user of users) await insertPlaced(db, user, Array.from({ length: 150 }, anyImage));
  const [, second, third] = users;
  const changes = [
    ...platformChanges.map((sql) => () => rows(db, sql, [platform.id])),
    () => removeUser(db, third?.userId ?? ''),
  ];
  for (const change of changes) {
    await insertPlaced(db, first, [anyImage()]);
    await change();
    await assertExact(db, platform, [0, 5, 9, 13, 14, 18]);
    assert.deepEqual(await differencesIn(db, platformCellsAgainstCells), [], String(change));
    await sumUp();
    await assertExact(db, platform, [0, 5, 9, 13, 14, 18]);
    assert.deepEqual(await differencesIn(db, platformCellsAgainstCells), [], String(change));
  }
  for (const user of [first, second]) await removeUser(db, user?.userId ?? '');
  await sumUp();
  const left = await rows(db, 'SELECT FROM platform_cells WHERE platform_id = $1', [platform.id]);
  assert.equal(left.length, 0);
});

test('users of a platform do not wait for each other, nor for the sums', async () => {
  const one = await insertUser(db);
  const other = await insertUser(db, one.platformId);
  const here = [{ latitude: 37.5, longitude: 127 }];
  await insertPlaced(db, one, here);
  await db.transaction(async (tx) => {
    await insertPlaced(tx, one, here);
    await sumUp();
    await db.transaction(async (beside) => {
      await rows(beside, `SET LOCAL lock_timeout = '1s'`);
      await insertPlaced(beside, other, here);
    });
    await sumUp();
  });
  await assertExact(db, { kind: 'platforms', id: one.platformId }, [0, 13, 18]);
});

test('while users write and sums are made, every snapshot of a platform is exact', async () => {
  const first = await insertUser(db);
  const platform = { kind: 'platforms', id: first.platformId } as const;
  const users = [first, ...(await Promise.all([1, 2, 3].map(() => insertUser(db, platform.id))))];
  let writing = true;
  const writer = async (owner: typeof first): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      const ids = await insertPlaced(db, owner, [anyImage(), anyImage()].slice(turn % 2));
      const change = turn % 3 === 0 ? 'UPDATE images SET deleted_at = now()' : 'DELETE FROM images';
      await rows(db, `${change} WHERE id = $1`, [ids[0]]);
    }
  };
  const written = Promise.all(users.map(writer)).finally(() => (writing = false));
  do {
    await sumUp();
    await db.transaction('REPEATABLE READ', (tx) => assertExact(tx, platform, [3, 10]));
  } while (writing);
  await written;
  await assertExact(db, platform, [0, 6, 12, 15]);
});

test('sums are not made in a transaction that sees more than one moment', async () => {
  await assert.rejects(rows(db, 'SELECT sum_platform_cells(1)'), /counted twice/);
});
