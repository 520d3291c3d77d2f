import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteOldCursors, expireCursors, upsertCursor } from '../../src/http/paging/bookmarks.js';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { testService, type TestUser } from '../../testkit/service.js';
import { readPages as pagesOf } from '../../testkit/read-pages.js';

const service = await testService();

type Query = Record<string, string | number>;

const page = async (user: TestUser, query: Query): Promise<ImageList> => {
  const { status, result, error } = await service.client.get<ImageList>(user.images, {
    as: ['User', user.token],
    query,
  });
  assert.equal(status, 200, error?.message);
  assert.equal(result.count, result.items.length);
  return result;
};

/** @returns ids. */
const readAllPages = async (
  user: TestUser,
  query: Query,
  between?: (pages: number) => Promise<unknown>,
): Promise<string[]> =>
  (await pagesOf((last_index) => page(user, { ...query, last_index }), between)).map(
    ({ id }) => id,
  );

const days = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    created_at: new Date(Date.UTC(2025, 0, 40 - n)).toISOString(),
    has_det: true,
  }));

const newer = (user: TestUser, count = 1) =>
  seedImages(
    service,
    user,
    Array.from({ length: count }, () => ({ created_at: '2025-03-01Z', has_det: true })),
  );

const lists: Query[] = [{}, { has_det: 'True' }, { view_type: 'list', has_delete_at: 'False' }];
for (const query of lists) {
  const what = JSON.stringify(query);

  test(`concurrent uploads: no image twice, none skipped, and paging ends (${what})`, async () => {
    const user = await service.user();
    const ids = await seedImages(service, user, days(10));
    const seen = await readAllPages(user, { ...query, page_size: 3 }, () => newer(user, 2));
    assert.deepEqual(seen, ids);
  });

  test(`concurrent deletions: no image skipped, and paging ends (${what})`, async () => {
    const user = await service.user();
    const ids = await seedImages(service, user, days(10));
    const seen = await readAllPages(user, { ...query, page_size: 3 }, async (pages) => {
      // First the last returned item, then an earlier one.
      await service.db.query('DELETE FROM images WHERE id = $1', [ids[pages === 1 ? 2 : 0]]);
    });
    assert.deepEqual(seen, ids);
  });
}

describe('paging through a list', async () => {
  const user = await service.user();
  const ids = await seedImages(service, user, days(6));
  const idsOf = ({ items }: ImageList) => items.map(({ id }) => id);

  test('continues from the same position when a page is requested again', async () => {
    await page(user, { page_size: 2 });
    await newer(user);
    const once = await page(user, { page_size: 2, last_index: 2 });
    const again = await page(user, { page_size: 2, last_index: 2 });
    assert.deepEqual([idsOf(once), idsOf(again)], [ids.slice(2, 4), ids.slice(2, 4)]);
  });

  test('may change the page size and the includes', async () => {
    await page(user, { page_size: 3 });
    const fresh = await newer(user);
    const rest = await page(user, { page_size: 2, last_index: 3, with_memo: 'True' });
    assert.ok(!idsOf(rest).some((id) => fresh.includes(id)));
  });

  test('has separate cursors for each token', async () => {
    const other = await service.user();
    const all = await seedImages(service, other, days(6));
    await page(other, { page_size: 2 });
    const fresh = await newer(other);
    const { access_token: token } = await service.service.tenants.users.issueTokens(other.id);
    const counted = await page({ ...other, token }, { page_size: 2, last_index: 2 });
    assert.deepEqual(idsOf(counted), all.slice(1, 3), 'counted in the current list');
    const otherPage = await page(other, { page_size: 2, last_index: 2 });
    assert.deepEqual(idsOf(otherPage), all.slice(2, 4));
    assert.equal(fresh.length, 1);
  });

  test('has separate cursors for each filter', async () => {
    const other = await service.user();
    const all = await seedImages(service, other, days(4));
    await page(other, { page_size: 2 });
    await newer(other);
    const counted = await page(other, { page_size: 2, last_index: 2, has_det: 'True' });
    assert.deepEqual(idsOf(counted), all.slice(1, 3));
  });

  test('falls back to counting after an hour, and its cursor expires', async () => {
    const other = await service.user();
    const all = await seedImages(service, other, days(4));
    await page(other, { page_size: 2 });
    await newer(other);
    await service.db.query(`UPDATE walks SET noted_at = now() - interval '61 minutes'`);
    const counted = await page(other, { page_size: 2, last_index: 2 });
    assert.deepEqual(idsOf(counted), all.slice(1, 3));
    await service.db.query(`UPDATE walks SET noted_at = now() - interval '61 minutes'`);
    await expireCursors(service.db);
    assert.deepEqual(await service.db.query('SELECT * FROM walks'), []);
  });
});

test('of the ends of an owner, the newest are kept', async () => {
  const { db } = service;
  const [owner, other] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
  const totals = { items: 9, bytes: 9 };
  const note = async (of: Buffer, list: number, index: number, minutes: number) => {
    const id = Buffer.concat([of, Buffer.alloc(16, list)]);
    await upsertCursor(db, id, index, { key: ['k'], totals });
    await db.query(
      `UPDATE walks SET noted_at = now() - make_interval(mins => $3)
       WHERE id = $1 AND last_index = $2`,
      [id, index, minutes],
    );
  };
  await note(owner, 0, 1, 3);
  await note(owner, 0, 2, 1);
  await note(owner, 0xff, 1, 2);
  await note(owner, 0xff, 2, 4);
  await note(other, 0, 1, 5);
  const ends = async () => {
    const found = await db.query<{ list: string; last_index: number }[]>(
      `SELECT encode(substr(id, 16, 2), 'hex') AS list, last_index FROM walks
       WHERE substr(id, 1, 16) IN ($1, $2) ORDER BY id, last_index`,
      [owner, other],
    );
    return found.map(({ list, last_index: index }) => `${list} ${index}`);
  };
  await deleteOldCursors(db, owner, 2);
  assert.deepEqual(await ends(), ['0100 2', '01ff 1', '0200 1']);
  await deleteOldCursors(db, other, 0);
  assert.deepEqual(await ends(), ['0100 2', '01ff 1']);
});

test('images of the same instant have a stable order', async () => {
  const user = await service.user();
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: 7 }, () => ({ created_at: '2025-01-01T00:00:00.000001Z' })),
  );
  const seen = await readAllPages(user, { page_size: 2 });
  assert.deepEqual(seen, ids.sort().reverse());
});

test('instants a microsecond apart are distinguished', async () => {
  const user = await service.user();
  const ids = await seedImages(
    service,
    user,
    [5, 4, 3, 2, 1].map((n) => ({ created_at: `2025-01-01T00:00:00.00000${n}Z` })),
  );
  assert.deepEqual(await readAllPages(user, { page_size: 1 }), ids);
});
