import assert from 'node:assert/strict';
import geodesic from 'geographiclib-geodesic';
import { done } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image, Page } from '../../testkit/records.js';
import { at, metres } from './map.js';
import type { Place } from './map.js';

const earth = geodesic.Geodesic.WGS84;

const centres: Readonly<Record<string, Place>> = {
  'in Seoul': [37.5666103, 126.9783882],
  'at (0, 0)': [0, 0],
  'on the antimeridian': [-16.5, 179.9999],
  'beside the north pole': [89.9997, 12],
  'beside the south pole': [-89.9997, -170],
};

/** Meters and azimuth from the center: five within 100 m, three beyond. */
const spots = [
  [99.9, 0],
  [100.1, 45],
  [0, 0],
  [99.9, 180],
  [100.1, 90],
  [60, 270],
  [30, 90],
  [5000, 10],
] as const;

export const groupRadius = area('group: radius', (check) => {
  for (const [where, centre] of Object.entries(centres)) {
    check(
      'groupImages',
      `§6.23 ${where}: agrees with an independent geodesic library`,
      async (world) => {
        const user = await world.user();
        for (const [distance, azimuth] of spots) {
          const { lat2 = NaN, lon2 = NaN } = earth.Direct(...centre, azimuth, distance);
          await user.upload(at([lat2, ((lon2 + 540) % 360) - 180]));
        }
        const read = async (more: Record<string, string | number> = {}) => {
          const query = { ...at(centre), use_radius: 'True', ...more };
          return done(await user.get<Page<Image>>('/images/group', query));
        };
        const { count, total_count, last_index, items } = await read();
        assert.deepEqual([count, total_count, last_index], [5, 5, 5]);
        const distances = items.map(({ distance_m }) => distance_m ?? NaN);
        assert.deepEqual(
          distances,
          distances.toSorted((a, b) => a - b),
          'nearest first',
        );
        for (const { lat, lng, distance_m } of items) {
          const wanted = metres(centre, [lat ?? NaN, lng ?? NaN]);
          assert.ok(
            Math.abs(wanted - (distance_m ?? NaN)) < 0.001,
            `${wanted} is not ${distance_m}`,
          );
        }
        const wide = await read({ radius: 6000 });
        assert.equal(wide.total_count, 8);
        assert.ok(Math.abs((wide.items.at(-1)?.distance_m ?? 0) - 5000) < 0.05);
        assert.equal((await read({ radius: '30.5' })).total_count, 2);
      },
    );
  }

  check(
    'groupImages',
    '§6.23 a radius of 50,000 m is accepted; an empty one is 100 m',
    async (world) => {
      const user = await world.user();
      await user.upload(at([1, 1]));
      await user.upload(at([1.001, 1]));
      for (const [radius, found] of [
        ['50000', 2],
        ['', 1],
      ] as const) {
        const query = { ...at([1, 1]), use_radius: 'true', radius };
        assert.equal(done(await user.get<Page<Image>>('/images/group', query)).total_count, found);
      }
    },
  );
});
