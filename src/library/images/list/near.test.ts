import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../../database/sql.js';
import { type Coordinates, atPrecision } from '../coordinates.js';
import { selectPlaces, sumAtPlace, sumPlaces } from '../group/group.sql.js';
import { selectListTotals } from './list.sql.js';
import { selectNearest } from './near.sql.js';
import type { ListTotals, PagePosition } from '../../../http/paging/pages.js';
import { trashCondition, type TrashFilter } from '../images.sql.js';
import { migratedSource, timeLimited } from '../../../../testkit/migrated-source.js';
import { insertUser } from '../../../../testkit/insert-user.js';
import { insertPlaced, pointSql, type PlacedImage } from '../../../../testkit/placed-images.js';
import { idsOf } from '../../../../testkit/page-ids.js';
import { Random } from '../../../../testkit/random.js';

// Results from kept sums are compared with those of counting and sorting all images.

const db = await migratedSource({ after });
const random = new Random(6);

const wrapped = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** A point up to so many degrees away, across the antimeridian too, but not beyond a pole. */
const around = ({ latitude, longitude }: Coordinates, degrees: number): Coordinates => {
  const shift = (): number => (random.below(2_000_001) / 1e6 - 1) * degrees;
  return atPrecision({
    latitude: Math.max(-90, Math.min(90, latitude + shift())),
    longitude: wrapped(longitude + shift()),
  });
};

const centers = {
  seoul: { latitude: 37.56, longitude: 126.98 },
  antimeridian: { latitude: -17.8, longitude: 179.9995 },
  'null island': { latitude: 0, longitude: 0 },
  'north pole': { latitude: 89.999, longitude: 40 },
  'south pole': { latitude: -90, longitude: 0 },
  'edge of the map': { latitude: 85.0511288, longitude: -120 },
  'far north': { latitude: 84.9, longitude: 100 },
  anywhere: { latitude: 20, longitude: -60 },
};

const made = (count: number, at: Coordinates, degrees: number): PlacedImage[] =>
  Array.from({ length: count }, () => ({
    ...around(at, degrees),
    trashed: random.below(5) === 0,
    bytes: random.below(1e6),
  }));

const owner = await insertUser(db);
const { userId } = owner;
await insertPlaced(db, owner, [
  ...made(1500, centers.seoul, 0.01),
  ...made(700, centers.seoul, 0.5),
  ...made(500, { latitude: 36, longitude: 128 }, 3),
  ...Object.values(centers).flatMap((at) => made(250, at, 0.02)),
  ...made(300, { latitude: 0, longitude: 0 }, 85),
  ...Array.from({ length: 200 }, () => ({ ...centers.seoul, trashed: random.below(2) === 0 })),
  ...Array.from({ length: 50 }, () => ({ trashed: random.below(2) === 0 })),
]);
const sparse = await insertUser(db);
await insertPlaced(db, sparse, made(20, centers.anywhere, 80));
await db.query('ANALYZE images, places');

const range = { start: { offset: 0 }, size: 10, include: {} };
const trashes: readonly TrashFilter[] = [false, true, null];
const point = pointSql('$2', '$3');
/** Without the index, whose boxes omit points at the same pole with another longitude. */
const within = `(SELECT ST_DWithin(i.location, ${point}, $4))`;

const counted = (who: string, where: string, values: readonly unknown[]): Promise<unknown> =>
  row(
    db,
    `SELECT count(*)::integer AS items, coalesce(sum(bytes), 0)::bigint AS bytes
     FROM images i WHERE user_id = $1 ${where}`,
    [who, ...values],
  );

describe('sums within a radius agree with counts', () => {
  const radii = [
    0, 0.005, 0.5, 3, 40, 100, 300, 900, 5000, 20_000, 50_000, 150_000, 490_000, 1e6, 9e6,
    19_999_000, 20_100_000,
  ];
  for (const [name, center] of Object.entries(centers)) {
    test(`around ${name}`, async () => {
      for (let n = 0; n < 40; n += 1) {
        const coordinates = n === 0 ? center : around(center, random.of([0.0001, 0.01, 1]));
        const radius = random.of(radii) ?? 0;
        const trash = random.of(trashes) ?? null;
        const who = n % 7 === 6 ? sparse.userId : userId;
        const filter = { trash, periods: [], near: { coordinates, radius } };
        assert.deepEqual(
          await selectListTotals(timeLimited(db), who, filter),
          await counted(who, `AND ${within} ${trashCondition(trash)}`, [
            coordinates.longitude,
            coordinates.latitude,
            radius,
          ]),
          JSON.stringify({ coordinates, radius, trash }),
        );
      }
    });
  }
});

/** Ids and distances of all matches, in meters to three digits, nearest first. */
const sorted = (
  who: string,
  { longitude, latitude }: Coordinates,
  trash: TrashFilter,
  radius: number,
): Promise<{ id: string; distance: number }[]> =>
  rows(
    db,
    `SELECT id, floor(exact * 1000 + 0.5) / 1000 AS distance
     FROM images i, LATERAL (SELECT ST_Distance(location, ${point})) AS measured (exact)
     WHERE user_id = $1 AND location IS NOT NULL ${trashCondition(trash)}
       AND ${within}
     ORDER BY exact, id`,
    [who, longitude, latitude, radius],
  );

describe('nearest images agree with a sort of all images', () => {
  const far = { latitude: -37.56, longitude: -53.02 };
  for (const [name, center] of Object.entries({ ...centers, far })) {
    test(`from ${name}`, async () => {
      for (let n = 0; n < 9; n += 1) {
        const coordinates = n === 0 ? center : around(center, random.of([0.001, 0.1, 2]));
        const trash = trashes[n % 3] ?? null;
        const radius = n % 2 === 0 ? undefined : random.of([100, 600, 5000, 3e6]);
        const who = n % 6 === 5 ? sparse.userId : userId;
        const near = { coordinates, ...(radius !== undefined && { radius }) };
        const filter = { trash, periods: [], near };
        const all = await sorted(who, coordinates, trash, radius ?? Infinity);
        const page = async (start: PagePosition, from: number, size: number) => {
          const found = await selectNearest(db, who, filter, { start, size, include: {} });
          assert.deepEqual(
            idsOf(found).map((id) => ({ id, distance: Number(found.beside?.get(id)) })),
            all.slice(from, from + size),
            JSON.stringify({ coordinates, trash, radius, start }),
          );
          return found.lastKey;
        };
        let after = await page({ offset: 0 }, 0, 61);
        for (let index = 61; after && index < 400; index += 90) {
          after = await page({ after, offset: 0 }, index, 90);
        }
        await page({ offset: 700 }, 700, 20);
      }
    });
  }

  test('paging returns each image once', async () => {
    const filter = { trash: null, periods: [], near: { coordinates: centers.seoul } };
    const seen: string[] = [];
    let start: PagePosition = { offset: 0 };
    for (;;) {
      const found = await selectNearest(db, userId, filter, { start, size: 977, include: {} });
      seen.push(...idsOf(found));
      const after = found.lastKey;
      if (!after) break;
      start = { after, offset: 0 };
    }
    const all = await sorted(userId, centers.seoul, null, Infinity);
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
  });
});

describe('places agree with a grouping of all images', () => {
  for (const trash of trashes) {
    test(`with trash ${trash}`, async () => {
      const condition = `AND location IS NOT NULL ${trashCondition(trash)}`;
      const expected = await rows<{ id: string; images: number }>(
        db,
        `SELECT (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id,
                count(*)::integer AS images
         FROM images i WHERE user_id = $1 ${condition}
         GROUP BY location
         ORDER BY max(created_at) DESC, 1 DESC`,
        [userId],
      );
      const owned = { userId, trash };
      const found = await selectPlaces(db, owned, { ...range, size: 100_000 });
      assert.deepEqual(
        idsOf(found).map((id) => ({ id, images: Number(found.beside?.get(id)) })),
        expected,
      );
      const jumped = await selectPlaces(db, owned, { ...range, start: { offset: 500 } });
      assert.deepEqual(
        idsOf(jumped),
        expected.slice(500, 510).map(({ id }) => id),
      );
      const { bytes } = (await counted(userId, condition, [])) as ListTotals;
      assert.deepEqual(await sumPlaces(db, owned), { items: expected.length, bytes });
      const { latitude, longitude } = centers.seoul;
      assert.deepEqual(
        await sumAtPlace(db, owned, centers.seoul),
        await counted(userId, `AND location = ${point} ${trashCondition(trash)}`, [
          longitude,
          latitude,
        ]),
      );
    });
  }

  test('for a user without places', async () => {
    const owned = { userId: (await insertUser(db)).userId, trash: null };
    assert.deepEqual(idsOf(await selectPlaces(db, owned, range)), []);
    assert.deepEqual(await sumPlaces(db, owned), { items: 0, bytes: 0 });
    assert.deepEqual(await sumAtPlace(db, owned, centers.seoul), { items: 0, bytes: 0 });
    for (const near of [
      { coordinates: centers.seoul },
      { coordinates: centers.seoul, radius: 9 },
    ]) {
      const filter = { trash: null, periods: [], near };
      assert.deepEqual(await selectListTotals(timeLimited(db), owned.userId, filter), {
        items: 0,
        bytes: 0,
      });
      assert.deepEqual(idsOf(await selectNearest(db, owned.userId, filter, range)), []);
    }
  });
});
