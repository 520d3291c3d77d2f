import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { areaOfBox, selectClusters } from './clusters.sql.js';
import { rows } from '../../../database/sql.js';
import type { Box } from './cells.js';
import { selectFilteredClusters } from './filtered.sql.js';
import { sumUpPlatformMaps } from './upkeep.js';
import { insertUser } from '../../../../testkit/insert-user.js';
import { anyImage, countOf, onMap } from '../../../../testkit/map-contents.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';
import { insertPlaced } from '../../../../testkit/placed-images.js';

const db = await migratedSource({ after });

describe('clusters in a box', async () => {
  const owner = await insertUser(db);
  const user = { kind: 'users', id: owner.userId } as const;
  await insertPlaced(db, owner, Array.from({ length: 1_500 }, anyImage));
  const boxes = {
    world: { west: -180, south: -90, east: 180, north: 90 },
    city: { west: 127, south: 37.5, east: 127.0151, north: 37.5201 },
    'a part of it': { west: 127.002, south: 37.501, east: 127.02, north: 37.52 },
    antimeridian: { west: 179, south: -20, east: -179, north: 89 },
    'its west': { west: 170, south: -20, east: 180, north: 0 },
    'its east': { west: -180, south: -20, east: -170, north: 0 },
    poles: { west: -20, south: -90, east: 20, north: 85.5 },
    point: { west: 0, south: 0, east: 0, north: 0 },
    nothing: { west: 50, south: 50, east: 51, north: 51 },
  } satisfies Record<string, Box>;
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
      const expected = await countOf(db, `${onMap(user)} AND ${condition(box)}`);
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
    });

    test(`${name}, of a platform`, async () => {
      const platform = { kind: 'platforms', id: owner.platformId } as const;
      for (const zoom of [0, 4, 9, 14, 22]) {
        const found = await selectClusters(db, platform, areaOfBox(box), zoom);
        assert.deepEqual(
          found,
          await selectClusters(db, user, areaOfBox(box), zoom),
          `zoom ${zoom}`,
        );
      }
    });
  }

  test('of a platform whose newest images have gone, before and after its sums are made', async () => {
    const platform = { kind: 'platforms', id: owner.platformId } as const;
    const box = areaOfBox(boxes.world);
    await sumUpPlatformMaps(db, new AbortController().signal);
    const newest = (await selectClusters(db, platform, box, 4)).map(({ active_id }) => active_id);
    await rows(db, 'DELETE FROM images WHERE id = ANY ($1)', [newest]);
    for (const sumsUp of [false, true]) {
      if (sumsUp) await sumUpPlatformMaps(db, new AbortController().signal);
      for (const part of [boxes.world, boxes['a part of it'], boxes.antimeridian]) {
        const area = areaOfBox(part);
        assert.deepEqual(
          await selectClusters(db, platform, area, 9),
          await selectClusters(db, user, area, 9),
        );
      }
    }
  });
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
