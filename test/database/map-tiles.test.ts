import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import type { Queryable } from '../../src/database/sql.js';
import { areaOfBox } from '../../src/images/map/area.js';
import type { Box } from '../../src/images/map/box.js';
import { selectClusters } from '../../src/images/map/box-queries.js';
import {
  selectFilteredClusters,
  selectFilteredTile,
} from '../../src/images/map/filtered-queries.js';
import type { MapFilter } from '../../src/images/map/filter.js';
import type { MapOwner } from '../../src/images/map/owner.js';
import { selectTile } from '../../src/images/map/tile-queries.js';
import type { Tile } from '../../src/images/map/tile.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { insertUser } from '../../testkit/insert-user.js';
import { insertPlaced, pointSql } from '../../testkit/placed-images.js';
import type { PlacedImage } from '../../testkit/placed-images.js';
import { Random } from '../../testkit/random.js';
import { tileFeatures } from '../../testkit/vector-tile.js';

const db = await migratedSource({ after }, 24);
const random = new Random(29);
const options = { pointsZoom: 14, zone: 'Asia/Seoul' };

/** A city, edges of tiles, both sides of the antimeridian, and beyond the map's edges. */
const spots = [
  ...Array.from({ length: 60 }, (_, n) => ({
    latitude: 37.5 + (n % 11) / 300,
    longitude: 127 + (n % 7) / 200,
  })),
  { latitude: 0, longitude: 0 },
  { latitude: 0, longitude: -90 },
  { latitude: 66.51326044311186, longitude: 90 },
  { latitude: 90, longitude: 10 },
  { latitude: -90, longitude: -10 },
  { latitude: 86, longitude: 179.9999999 },
  { latitude: -12, longitude: 180 },
  { latitude: -12, longitude: -180 },
];

const image = (): PlacedImage => ({
  ...(random.below(5) > 0 && random.of(spots)),
  trashed: random.below(4) === 0,
  createdAt: `2025-01-0${1 + random.below(9)}T0${random.below(9)}:00:00Z`,
});

interface Shown {
  readonly count: number;
  readonly newest: readonly string[];
  readonly ids: readonly string[];
}

/** What all tiles of a zoom that have places show together. */
async function shownBy(tx: Queryable, owner: MapOwner, z: number, filter?: MapFilter) {
  const column = owner.kind === 'users' ? 'p.user_id' : 'u.platform_id';
  const tiles = await rows<Tile>(
    tx,
    `SELECT DISTINCT ${z}::integer AS z, map_x(location) >> ${26 - z} AS x, map_y(location) >> ${26 - z} AS y
     FROM places p JOIN users u ON u.id = p.user_id WHERE ${column} = $1`,
    [owner.id],
  );
  const shown = { count: 0, newest: [] as string[], ids: [] as string[] };
  for (const tile of tiles) {
    const bytes = filter
      ? await selectFilteredTile(tx, owner, tile, filter, options)
      : await selectTile(tx, owner, tile, options);
    assert.ok((bytes?.length ?? 0) <= 100_000);
    for (const { layer, x, y, properties } of bytes ? tileFeatures(bytes) : []) {
      assert.ok(x >= 0 && x < 4096 && y >= 0 && y < 4096, `${x} ${y}`);
      shown.count += layer === 'images' ? 1 : Number(properties.count);
      (layer === 'images' ? shown.ids : shown.newest).push(String(properties.image_id));
    }
  }
  return shown satisfies Shown;
}

const inTime = (owner: MapOwner): string =>
  `${owner.kind === 'users' ? 'user_id' : 'platform_id'} = '${owner.id}'
   AND location IS NOT NULL AND deleted_at IS NULL`;

async function countOf(tx: Queryable, condition: string): Promise<number> {
  const sql = `SELECT count(*)::integer AS count FROM images i WHERE ${condition}`;
  return (await row<{ count: number }>(tx, sql))?.count ?? NaN;
}

/** The newest image of each tile of a zoom. */
const newestOf = async (tx: Queryable, owner: MapOwner, zoom: number): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      tx,
      `SELECT DISTINCT ON (map_x(location) >> ${26 - zoom}, map_y(location) >> ${26 - zoom}) id
       FROM images WHERE ${inTime(owner)}
       ORDER BY map_x(location) >> ${26 - zoom}, map_y(location) >> ${26 - zoom},
                created_at DESC, id DESC`,
    )
  ).map(({ id }) => id);

async function assertExact(tx: Queryable, owner: MapOwner, zooms: readonly number[]) {
  const count = await countOf(tx, inTime(owner));
  for (const z of zooms) {
    const { count: found, newest, ids } = await shownBy(tx, owner, z);
    assert.equal(found, count, `zoom ${z}`);
    if (ids.length === 0) {
      const expected = await newestOf(tx, owner, Math.min(z + 4, 24));
      assert.deepEqual(newest.sort(), expected.sort(), `newest at zoom ${z}`);
    } else assert.equal(new Set(ids).size, ids.length, `each once at zoom ${z}`);
  }
}

const allZooms = Array.from({ length: 23 }, (_, z) => z);

test('at every zoom, the tiles add up to all images that have a place, each counted once', async () => {
  const owner = await insertUser(db);
  await insertPlaced(db, owner, Array.from({ length: 1_500 }, image));
  const user = { kind: 'users', id: owner.userId } as const;
  await assertExact(db, user, allZooms);
  const other = await insertUser(db, owner.platformId);
  await insertPlaced(db, other, Array.from({ length: 300 }, image));
  await assertExact(db, user, [0, 8, 13]);
  await assertExact(db, { kind: 'platforms', id: owner.platformId }, [0, 5, 9, 13, 14, 18, 22]);
});

test('an edge belongs to the tile east and south of it', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, [{ latitude: 0, longitude: 0 }]);
  const shown = async (tile: Tile) => (await selectTile(db, user, tile, options)) !== undefined;
  assert.deepEqual(
    await Promise.all([
      ...[shown({ z: 1, x: 1, y: 1 }), shown({ z: 1, x: 0, y: 1 })],
      ...[shown({ z: 1, x: 1, y: 0 }), shown({ z: 1, x: 0, y: 0 })],
    ]),
    [true, false, false, false],
  );
});

test('many images in one spot are clusters at any zoom, and still exact', async () => {
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

test('twenty writers at work, every snapshot is exact', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, Array.from({ length: 200 }, image));
  let writing = true;
  const writer = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      const ids = await insertPlaced(db, owner, [image(), image()].slice(turn % 2));
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

describe('clusters in a box', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, Array.from({ length: 1_500 }, image));
  const boxes: Record<string, Box> = {
    world: { west: -180, south: -90, east: 180, north: 90 },
    city: { west: 127, south: 37.5, east: 127.0151, north: 37.5201 },
    'a part of it': { west: 127.002, south: 37.501, east: 127.02, north: 37.52 },
    antimeridian: { west: 179, south: -20, east: -179, north: 89 },
    'its west': { west: 170, south: -20, east: 180, north: 0 },
    'its east': { west: -180, south: -20, east: -170, north: 0 },
    poles: { west: -20, south: -90, east: 20, north: 85.5 },
    point: { west: 0, south: 0, east: 0, north: 0 },
    nothing: { west: 50, south: 50, east: 51, north: 51 },
  };
  const condition = ({ west, south, east, north }: Box): string =>
    `ST_Y(location::geometry) BETWEEN ${south} AND ${north} AND (${
      west > east
        ? `ST_X(location::geometry) >= ${west} OR ST_X(location::geometry) <= ${east}`
        : `ST_X(location::geometry) BETWEEN ${west} AND ${east}`
    }${west > east || west === -180 || east === 180 ? ' OR abs(ST_X(location::geometry)) = 180' : ''})`;
  const total = (found: readonly { count: number }[]): number =>
    found.reduce((sum, { count }) => sum + count, 0);

  for (const [name, box] of Object.entries(boxes)) {
    test(name, async () => {
      const expected = await countOf(db, `${inTime(user)} AND ${condition(box)}`);
      for (const zoom of [0, 4, 9, 14, 22]) {
        const found = await selectClusters(db, user, areaOfBox(box), zoom);
        assert.equal(total(found), expected, `zoom ${zoom}`);
        const det = await selectFilteredClusters(db, user, areaOfBox(box), zoom, { det: null });
        assert.deepEqual(
          det.map(({ active_id, count }) => `${active_id} ${count}`).sort(),
          found.map(({ active_id, count }) => `${active_id} ${count}`).sort(),
          `filtered at zoom ${zoom}`,
        );
      }
      assert.equal(
        total(
          await selectClusters(db, { kind: 'platforms', id: owner.platformId }, areaOfBox(box), 9),
        ),
        expected,
      );
    });
  }
});

test('of more clusters than fit, the next coarser zoom is shown', async () => {
  const owner = await insertUser(db);
  const scattered = Array.from({ length: 5_000 }, (_, n) => ({
    latitude: (n % 100) / 10,
    longitude: Math.floor(n / 100) / 10,
  }));
  await insertPlaced(db, owner, scattered);
  const box = areaOfBox({ west: -180, south: -90, east: 180, north: 90 });
  const found = await selectClusters(db, { kind: 'users', id: owner.userId }, box, 22);
  assert.ok(found.length <= 2_000 && found.length > 500, `${found.length}`);
  assert.equal(
    found.reduce((sum, { count }) => sum + count, 0),
    5_000,
  );
});

test('filters leave what counting by the same conditions finds', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  const ids = await insertPlaced(db, owner, Array.from({ length: 900 }, image));
  const folder = crypto.randomUUID();
  await rows(db, `INSERT INTO folders (id, user_id, title) VALUES ($1, $2, 'a')`, [
    folder,
    owner.userId,
  ]);
  await rows(db, 'UPDATE images SET folder_id = $2 WHERE id = ANY ($1)', [ids.slice(200), folder]);
  await rows(db, 'UPDATE images SET has_det = true WHERE id = ANY ($1)', [ids.slice(400)]);
  await rows(db, 'UPDATE images SET has_det = false WHERE id = ANY ($1)', [ids.slice(600)]);
  const from = new Date('2025-01-03T00:00:00Z');
  const to = new Date('2025-01-07T00:00:00Z');
  const period = `created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}'`;
  const filters: readonly [MapFilter, string][] = [
    [{ det: true }, 'has_det'],
    [{ det: false, folderId: folder }, `NOT has_det AND folder_id = '${folder}'`],
    [{ det: null }, 'has_det IS NULL'],
    [{ folderId: null }, 'folder_id IS NULL'],
    [{ from, to }, period],
    [
      { from, to, det: true, folderId: folder },
      `${period} AND has_det AND folder_id = '${folder}'`,
    ],
    [{ folderId: crypto.randomUUID() }, 'false'],
  ];
  for (const [filter, condition] of filters) {
    const expected = await countOf(db, `${inTime(user)} AND ${condition}`);
    for (const z of [0, 6, 13, 14, 19]) {
      assert.equal((await shownBy(db, user, z, filter)).count, expected, `${condition}, zoom ${z}`);
    }
  }
});
