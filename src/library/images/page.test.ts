import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seedUser } from '../../../bench/seeding.js';
import { parameters, rows } from '../../database/sql.js';
import {
  newestFirst,
  newestSortKey,
  selectPage,
  type ListTime,
  type PageRange,
  type RecordPage,
} from './page.sql.js';
import { selectNewest, updatedPage } from './list/list.sql.js';
import type { PagePosition } from '../../http/paging/pages.js';
import { dayMs } from '../../base/units.js';
import { idsOf } from '../../../testkit/page-ids.js';
import { insertUser } from '../../../testkit/insert-user.js';
import { migratedSource } from '../../../testkit/migrated-source.js';

const db = await migratedSource({ after });
const { userId } = await insertUser(db);
/** So many that each period has more than two pages: their times are random. */
const images = 3_000;
await seedUser(db, { userId, images });
const since = new Date(Date.now() - 400 * dayMs);
// Some of the old images have been updated since; some cameras had a clock in the future.
await rows(
  db,
  `UPDATE images SET updated_at = updated_at + (get_byte(hash, 0) - 50) * interval '5 days'
   WHERE get_byte(hash, 1) < 60`,
);

const size = 60;
const limit = size + 1;
type Select = (range: PageRange) => Promise<RecordPage>;

/** All images, page by page. */
async function readAll(select: Select): Promise<string[]> {
  const ids: string[] = [];
  let start: PagePosition = { offset: 0 };
  for (;;) {
    const { lastKey, more, ...found } = await select({ start, size, include: {} });
    ids.push(...idsOf(found));
    if (!more || !lastKey) return ids;
    start = { offset: 0, after: lastKey };
  }
}

const expected = async (from: Date, to: Date, sortBy: ListTime): Promise<string[]> => {
  const found = await rows<{ id: string }>(
    db,
    `SELECT i.id FROM images i WHERE user_id = $1 AND deleted_at IS NULL
       AND updated_at >= $2 AND updated_at < $3 ORDER BY ${newestFirst(sortBy)}`,
    [userId, from, to],
  );
  return found.map(({ id }) => id);
};

for (const [what, days, reach, sortBy] of [
  ['sorted', 200, { near: 10, most: 100_000 }, 'created_at'],
  ['too many to be sorted', 200, { near: 10, most: 50 }, 'created_at'],
  ['found among the newest', 800, { near: images, most: 0 }, 'created_at'],
  ['none', 0, { near: 10, most: 100_000 }, 'created_at'],
  ['sorted', 200, { near: 10, most: 100_000 }, 'taken_at'],
  ['too many to be sorted', 200, { near: 10, most: 50 }, 'taken_at'],
  ['found among the newest', 800, { near: images, most: 0 }, 'taken_at'],
] as const)
  test(`images updated in a period: ${what} (${sortBy})`, async () => {
    const to = new Date(since.getTime() + days * dayMs);
    const all = await expected(since, to, sortBy);
    assert.ok(days === 0 || all.length > 2 * limit, `${all.length} images`);
    const select: Select = (range) => {
      const { values, bind } = parameters(userId);
      const updated = `i.updated_at >= ${bind(since)} AND i.updated_at < ${bind(to)}`;
      const where = 'i.user_id = $1 AND i.deleted_at IS NULL';
      const sql = updatedPage({ updated, where, sortBy }, range.start, limit, bind, reach);
      return selectPage(db, { page: { ...sql, key: newestSortKey(sortBy) }, values }, range);
    };
    assert.deepEqual(await readAll(select), all);
    const skipped = await select({ start: { offset: 70 }, size, include: {} });
    assert.deepEqual(idsOf(skipped), all.slice(70, 70 + size));
    const period = { column: 'updated_at', from: since, to } as const;
    const listed: Select = (range) =>
      selectNewest(db, userId, { trash: false, sortBy, periods: [period] }, range);
    assert.deepEqual(await readAll(listed), all);
  });
