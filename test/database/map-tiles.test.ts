import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows, type Queryable } from '../../src/database/sql.js';
import type { MapOwner } from '../../src/library/images/map/schemas.js';
import { selectTile } from '../../src/library/images/map/tile.sql.js';
import type { Tile } from '../../src/library/images/map/cells.js';
import { insertUser } from '../../testkit/insert-user.js';
import {
  anyImage,
  countOf,
  onMap,
  random,
  shownBy,
  spots,
  tileOptions,
} from '../../testkit/map-contents.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { insertPlaced, pointSql } from '../../testkit/placed-images.js';

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
