import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seedUser } from '../../../../bench/seeding.js';
import { rows, type Queryable } from '../../../database/sql.js';
import { selectInFolder } from '../folder-images.js';
import { selectAtPlace, selectPlaces } from '../group/group.sql.js';
import { selectMatchingIds, selectNewest } from './list.sql.js';
import { selectWholePage } from './whole.sql.js';
import { selectNearest } from './near.sql.js';
import { countAndSum } from '../totals.sql.js';
import type { PageRange, RecordPage } from '../page.sql.js';
import { selectPlatformPage } from '../platform-images.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';
import { idsOf } from '../../../../testkit/page-ids.js';
import { insertUser } from '../../../../testkit/insert-user.js';

const db = await migratedSource({ after });
const { platformId, userId } = await insertUser(db);
await seedUser(db, { userId, images: 2000 });
const place = { latitude: 37.56, longitude: 126.98 };
await rows(
  db,
  `UPDATE images SET location = ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography
   WHERE id IN (SELECT id FROM images WHERE deleted_at IS NULL ORDER BY id LIMIT 200)`,
  [place.longitude, place.latitude],
);
// Index-only scans need to know which pages everyone can see.
await db.query('VACUUM images');

const active = { userId, trash: false };
const byTaken = { sortBy: 'taken_at', descending: true } as const;
const byCreation = { sortBy: 'created_at', descending: false } as const;
const byName = { sortBy: 'name', descending: false } as const;

type Select = (db: Queryable, range: PageRange) => Promise<RecordPage>;

/** Every list of images, with the function that reads a page of it. */
const lists: Record<string, Select> = {
  newest: (on, range) => selectNewest(on, userId, { trash: false, periods: [] }, range),
  'by when taken': (on, range) =>
    selectNewest(on, userId, { trash: null, sortBy: 'taken_at', periods: [], det: true }, range),
  'active by when taken': (on, range) =>
    selectNewest(
      on,
      userId,
      { trash: false, sortBy: 'taken_at', periods: [{ column: 'taken_at', from: new Date(0) }] },
      range,
    ),
  'in a folder by when taken': (on, range) =>
    selectInFolder(on, { ...active, folderId: null }, byTaken, range),
  nearest: (on, range) =>
    selectNearest(on, userId, { trash: false, periods: [], near: { coordinates: place } }, range),
  'at a place': (on, range) => selectAtPlace(on, active, place, range),
  places: (on, range) => selectPlaces(on, active, range),
  'in a folder': (on, range) =>
    selectInFolder(on, { ...active, folderId: null }, byCreation, range),
  'in a folder by name': (on, range) =>
    selectInFolder(on, { ...active, folderId: null }, byName, range),
  'of a platform': (on, range) => selectPlatformPage(on, { platformId, userId }, range),
};

interface Node {
  readonly 'Node Type': string;
  readonly 'Subplan Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}

const within = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(within)];

/** The plan of the query in `select`, with sequential scans disabled. */
const planOf = (select: Select): Promise<Node> =>
  db.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    let plan: Node | undefined;
    const explaining: Queryable = {
      query: async (sql, values) => {
        const [found] = await rows<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          tx,
          `EXPLAIN (FORMAT JSON) ${sql}`,
          values,
        );
        plan = found?.['QUERY PLAN'][0].Plan;
        return [];
      },
    };
    // What explains has no page.
    const range = { start: { offset: 1000 }, size: 60, include: {} };
    await assert.rejects(select(explaining, range));
    assert.ok(plan);
    return plan;
  });

/** Lists ordered by an index: their ids are read from it alone. */
const inIndexAlone = new Set([
  'newest',
  'by when taken',
  'active by when taken',
  'in a folder',
  'at a place',
  'of a platform',
]);

for (const [what, select] of Object.entries(lists)) {
  test(`a page of images ${what} selects its ids first`, async () => {
    const nodes = within(await planOf(select));
    const page = nodes.filter((node) => node['Subplan Name'] === 'CTE page').flatMap(within);
    const looks = page.filter((node) => node['Relation Name'] === 'images');
    assert.ok(looks.length > 0);
    if (!inIndexAlone.has(what)) return;
    assert.deepEqual(
      looks.map((node) => node['Node Type']),
      ['Index Only Scan'],
    );
    // That of a platform is sorted by user, which are few.
    assert.ok(what === 'of a platform' || !page.some((node) => node['Node Type'] === 'Sort'));
  });

  test(`images ${what} are the same in short pages and in a long page`, async () => {
    const page = (offset: number, size: number) =>
      select(db, { start: { offset }, size, include: {} });
    const long = await page(0, 150);
    const short = [await page(0, 70), await page(70, 70), await page(140, 10)];
    assert.deepEqual(short.flatMap(idsOf), idsOf(long));
    assert.equal(long.count, 150);
    // A long page has the texts of the first images only.
    assert.deepEqual(
      [...short, long].map(({ rest }) => rest.length),
      [0, 0, 0, 50],
    );
  });
}

/** The sort key of an image that may be gone. */
const passed = ['2025-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000'];
for (const sortBy of ['created_at', 'taken_at'] as const) {
  for (const start of [{ offset: 1000 }, { offset: 0, after: passed }]) {
    test(`a page from ${JSON.stringify(start)} by ${sortBy} reads the index up to its end, sorting nothing`, async () => {
      for (const trash of [null, true, false]) {
        const range = { start, size: 50, include: {} };
        const plan = await planOf((on) => selectWholePage(on, userId, { trash, sortBy }, range));
        const page = within(plan).filter((node) => node['Subplan Name'] === 'CTE page');
        const types = page.flatMap(within).map((node) => node['Node Type']);
        assert.ok(types.includes('Index Only Scan'), types.join());
        // The trash has one order, by which it is read alone; the other one sorts it.
        const sorts = trash === true && sortBy === 'taken_at';
        assert.ok(sorts || !types.some((type) => type.includes('Sort')), types.join());
      }
    });
  }
}

test('the ids of all matches are in the order of the list', async () => {
  for (const sortBy of ['created_at', 'taken_at'] as const) {
    const filter = { trash: null, det: true, sortBy, periods: [] };
    const range = { start: { offset: 0 }, size: 2000, include: {} };
    const listed = idsOf(await selectNewest(db, userId, filter, range));
    assert.deepEqual(await selectMatchingIds(db, userId, filter, 2000), listed);
    assert.ok(listed.length > 100);
  }
});

test('rows are counted and their bytes summed, from none to more than 32 bits', async () => {
  const sum = (values: number[]) =>
    countAndSum(db, 'unnest($1::bigint[]) AS value (bytes)', [values]);
  assert.deepEqual(await sum([]), { items: 0, bytes: 0 });
  assert.deepEqual(await sum([2 ** 40, 1, 1]), { items: 3, bytes: 2 ** 40 + 2 });
});
