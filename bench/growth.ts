import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceDataSource } from '../src/app.js';
import type { Queryable } from '../src/database/sql.js';
import { selectPlaces, sumPlaces } from '../src/images/group/queries.js';
import { selectListTotals, selectNearest } from '../src/images/list/queries.js';
import { openDatabase } from '../src/postgres/provision.js';
import { insertUser } from '../testkit/insert-user.js';
import { provision, report } from './private-service.js';
import { seedUser } from './seeding.js';

// npm run growth [-- FEW MANY]: reads by location of a user with FEW images (10,000) and of one with
// MANY (1,000,000), one after the other, as medians in milliseconds and their ratio.

const [few = 10_000, many = 1_000_000] = process.argv.slice(2).map(Number);
const rounds = 60;
const size = 61;

const start = { offset: 0 };
const somewhere = () => ({
  latitude: 37.56 + (Math.random() - 0.5) * 0.18,
  longitude: 126.98 + (Math.random() - 0.5) * 0.18,
});
const far = { latitude: -34.9, longitude: -56.2 };
const within = (radius?: number, coordinates = somewhere()) => ({
  trash: false,
  periods: [],
  near: { coordinates, ...(radius !== undefined && { radius }) },
});

const reads: Record<string, (db: Queryable, user: string) => Promise<unknown>> = {
  'radius 100 m, totals': (db, user) => selectListTotals(db, user, within(100)),
  'radius 100 m, page': (db, user) => selectNearest(db, user, within(100), start, size),
  'radius 5 km, totals': (db, user) => selectListTotals(db, user, within(5000)),
  'radius 5 km, page': (db, user) => selectNearest(db, user, within(5000), start, size),
  'radius 50 km, totals': (db, user) => selectListTotals(db, user, within(50_000)),
  'map, totals': (db, user) => selectListTotals(db, user, within()),
  'map, page': (db, user) => selectNearest(db, user, within(), start, size),
  'map from far away, page': (db, user) =>
    selectNearest(db, user, within(undefined, far), start, size),
  'places, totals': (db, userId) => sumPlaces(db, { userId, trash: false }),
  'places, page': (db, userId) => selectPlaces(db, { userId, trash: false }, start, size),
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const dir = await mkdtemp(join(tmpdir(), 'imgstore-growth-'));
const { home, config } = await provision(dir);
const database = await openDatabase({ home, url: undefined, report });
const db = await serviceDataSource(database.url, config).initialize();
try {
  const users: string[] = [];
  for (const images of [few, many]) {
    report(`Creating ${images} images`);
    const { userId } = await insertUser(db);
    await seedUser(db, { userId, images });
    users.push(userId);
  }
  await db.query('VACUUM ANALYZE images, places, map_cells');
  for (const [what, read] of Object.entries(reads)) {
    const taken = users.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [n, user] of users.entries()) {
        const began = performance.now();
        await read(db, user);
        taken[n]?.push(performance.now() - began);
      }
    }
    const [small = NaN, large = NaN] = taken.map(median);
    const figures = [small, large].map((ms) => ms.toFixed(2).padStart(10)).join('');
    console.log(`${what.padEnd(26)}${figures}   ratio ${(large / small).toFixed(2)}`);
  }
} finally {
  await db.destroy();
  await database.close();
  await rm(dir, { recursive: true, force: true });
}
