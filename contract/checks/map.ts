import assert from 'node:assert/strict';
import geodesic from 'geographiclib-geodesic';
import { refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';
import { ids } from './list.js';

/** Meters on the WGS 84 ellipsoid, from a library that the server does not use. */
export function metres(from: Place, to: Place): number {
  const { s12 } = geodesic.Geodesic.WGS84.Inverse(from[0], from[1], to[0], to[1]);
  return s12 ?? Number.NaN;
}

export type Place = readonly [latitude: number, longitude: number];

export const at = ([latitude, longitude]: Place) => ({
  latitude: String(latitude),
  longitude: String(longitude),
});

/** Uploads one image per location. */
export async function spread(user: Member, places: readonly Place[]): Promise<Image[]> {
  const images = [];
  for (const place of places) images.push(await user.upload(at(place)));
  return images;
}

const corners: Record<string, readonly [Place, ...Place[]]> = {
  Seoul: [
    [37.5663, 126.9779],
    [37.5668, 126.9779],
    [37.5663, 126.9791],
  ],
  'the antimeridian': [
    [-17, 179.9995],
    [-17, -179.9995],
    [-17.0005, 180],
  ],
  'the north pole': [
    [89.9999, 0],
    [89.9999, 180],
    [90, 77],
  ],
  '(0, 0)': [
    [0, 0],
    [0.0003, -0.0003],
    [-0.0008, 0],
  ],
};

export const map = area('map', (check) => {
  for (const [where, places] of Object.entries(corners)) {
    check('listImages', `§6.16 map: nearest first on the ellipsoid, at ${where}`, async (world) => {
      const user = await world.user();
      const images = await spread(user, places);
      await user.upload();
      const [center] = places;
      const distances = new Map(
        images.map(({ id }, n) => [id, metres(center, places[n] ?? center)] as const),
      );
      const page = await user.list({ view_type: 'map', ...at(center) });
      assert.equal(page.total_count, places.length, 'images without a location are omitted');
      const wanted = [...distances.values()].sort((a, b) => a - b);
      page.items.forEach(({ id, distance_m }, n) => {
        assert.ok(
          Math.abs((distance_m ?? NaN) - (distances.get(id) ?? NaN)) < 0.01,
          `${distance_m}`,
        );
        assert.ok(Math.abs((distance_m ?? NaN) - (wanted[n] ?? NaN)) < 0.01, 'in this order');
      });
    });
  }

  check('listImages', 'IF rule 4 map needs latitude and longitude', async (world) => {
    const user = await world.user();
    const query = { view_type: 'map' };
    refused(await user.get('/images', query), 400, 'missing_field', 'latitude');
    const half = { ...query, latitude: '1' };
    refused(await user.get('/images', half), 400, 'missing_field', 'longitude');
    const off = { ...query, latitude: '91', longitude: '0' };
    refused(await user.get('/images', off), 400, 'invalid_field', 'latitude');
  });

  check('listImages', '§6.16 map accepts a radius in meters', async (world) => {
    const user = await world.user();
    const [near] = await spread(user, [
      [10, 10],
      [10.01, 10],
    ]);
    const query = { view_type: 'map', ...at([10, 10]), radius: 100 };
    assert.deepEqual(ids(await user.list(query)), [near?.id]);
    const wide = await user.list({ ...query, radius: 1200 });
    assert.deepEqual([wide.count, wide.total_count], [2, 2]);
  });

  check('listImages', '§1.9 map pages by last_index', async (world) => {
    const user = await world.user();
    const images = await spread(user, [
      [0.003, 0],
      [0.001, 0],
      [0.002, 0],
    ]);
    const query = { view_type: 'map', ...at([0, 0]), page_size: 2 };
    const first = await user.list(query);
    const rest = await user.list({ ...query, last_index: first.last_index ?? 0 });
    assert.deepEqual([...ids(first), ...ids(rest)], [images[1]?.id, images[2]?.id, images[0]?.id]);
  });

  check('listImages', '§1.9 map jumps, also between images of one place', async (world) => {
    const user = await world.user();
    const [far, ...twins] = await spread(user, [
      [0.002, 0],
      [0.001, 0],
      [0.001, 0],
    ]);
    const query = { view_type: 'map', ...at([0, 0]) };
    const wanted = ids(await user.list(query));
    assert.deepEqual(wanted.toSorted(), [far, ...twins].map((image) => image?.id).sort());
    assert.equal(wanted[2], far?.id);
    const jump = await user.list({ ...query, page_size: 2, last_index: 1 });
    assert.deepEqual(ids(jump), wanted.slice(1));
  });

  check('listImages', '§6.16 other views tell no distance', async (world) => {
    const user = await world.user();
    await spread(user, [[0, 0]]);
    const { items } = await user.list(at([0, 0]));
    assert.ok(items.length === 1 && items.every((item) => !('distance_m' in item)));
  });
});
