import assert from 'node:assert/strict';
import { done, near, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Statistics } from '../../testkit/records.js';
import type { Tenant } from '../../testkit/world.js';

interface Day {
  readonly date: number;
  readonly stats: Statistics;
}

const total = async (tenant: Tenant) => done(await tenant.statistics<Statistics>('/total'));

const days = async (tenant: Tenant, start_date: string, end_date: string, sort_order?: string) =>
  done(
    await tenant.statistics<Day[]>('', { start_date, end_date, ...(sort_order && { sort_order }) }),
  );

/** The day, by the server's own clock, on which it was made: today, unless midnight has passed. */
const todayOf = ({ record }: Tenant): string => record.created_at.slice(0, 8);

const shift = (day: string, by: number): string => {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number);
  const moved = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 1) + by));
  return moved.toISOString().slice(0, 10).replaceAll('-', '');
};

const zeros: Statistics = {
  upload_camera: 0,
  upload_gallery: 0,
  upload_request: 0,
  total_upload: 0,
  edit_count: 0,
  delete_count: 0,
  total_images: 0,
  org_filesize_mb: 0,
  org_latest_filesize_mb: 0,
  total_filesize_mb: 0,
};

/** A platform with uploads of all kinds, edits, and deletions, and its expected statistics. */
async function busy(tenant: Tenant): Promise<Statistics> {
  const [a, b] = [await tenant.user(), await tenant.user()];
  const edited = await a.upload({ upload_type: 'camera', created_at: '20200101_000000' });
  const others = [await a.upload(), await b.upload(), await b.upload({ upload_type: 'request' })];
  const first = await a.edit(edited);
  const second = await a.edit(edited);
  const [kept, trashed, deleted] = others;
  assert.ok(kept && trashed && deleted);
  await b.trash(trashed);
  const folder = await b.folder('permanently deleted');
  done(await b.put(`/images/${deleted.id}`, { folder_id: folder.id }));
  done(await b.delete(`/folders/${folder.id}`));
  const originals = edited.filesize_mb + kept.filesize_mb + trashed.filesize_mb;
  return {
    upload_camera: 1,
    upload_gallery: 2,
    upload_request: 1,
    total_upload: 4,
    edit_count: 2,
    delete_count: 2,
    total_images: 2,
    org_filesize_mb: originals,
    org_latest_filesize_mb: originals + second.filesize_mb,
    total_filesize_mb: originals + first.filesize_mb + second.filesize_mb,
  };
}

/** What happened on all these days, and the state at the end of the last. */
function together(found: readonly Day[]): Statistics | undefined {
  const last = found.at(-1)?.stats;
  if (!last) return undefined;
  const sum = (name: keyof Statistics) => found.reduce((all, { stats }) => all + stats[name], 0);
  return {
    ...last,
    upload_camera: sum('upload_camera'),
    upload_gallery: sum('upload_gallery'),
    upload_request: sum('upload_request'),
    total_upload: sum('total_upload'),
    edit_count: sum('edit_count'),
    delete_count: sum('delete_count'),
  };
}

function same(actual: Statistics | undefined, expected: Statistics): void {
  for (const [name, value] of Object.entries(expected)) {
    near(actual?.[name as keyof Statistics], value as number, 5e-6);
  }
}

export const statistics = area('statistics', (check) => {
  check('totalStatistics', '§7 a platform without images has zeros', async (world) => {
    assert.deepEqual(await total(await world.platform()), zeros);
  });

  check('totalStatistics', '§7 counts since the beginning, state now', async (world) => {
    const tenant = await world.platform();
    const expected = await busy(tenant);
    same(await total(tenant), expected);
  });

  check('dailyStatistics', '§7 counts what happened today, exact at once', async (world) => {
    const tenant = await world.platform();
    const expected = await busy(tenant);
    const today = todayOf(tenant);
    const found = await days(tenant, today, shift(today, 1));
    assert.ok([1, 2].includes(found.length) && found[0]?.date === Number(today));
    same(together(found), expected);
  });

  check(
    'dailyStatistics',
    '§7 a restore and a second trash count as they happen',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      const image = await user.trash(await user.upload());
      assert.deepEqual((await total(tenant)).total_images, 0);
      done(await user.put(`/images/${image.id}`, { delete: 'False' }));
      assert.deepEqual((await total(tenant)).total_images, 1);
      await user.trash(image);
      const { delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual([delete_count, total_images], [2, 0]);
      near(total_filesize_mb, image.filesize_mb);
    },
  );

  check(
    'dailyStatistics',
    '§7 an image permanently deleted from the trash counts once',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      const folder = await user.folder('a');
      await user.upload({ folder_id: folder.id });
      await user.trashFolder(folder);
      done(await user.delete(`/folders/${folder.id}`));
      const { delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual([delete_count, total_images, total_filesize_mb], [1, 0, 0]);
    },
  );

  check(
    'dailyStatistics',
    '§7 deleting a user removes its bytes, not its history',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      await user.upload({ upload_type: 'camera' });
      done(await user.delete(''));
      const { upload_camera, delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual(
        [upload_camera, delete_count, total_images, total_filesize_mb],
        [1, 1, 0, 0],
      );
    },
  );

  check(
    'dailyStatistics',
    '§7 one entry for every day, days without activity included',
    async (world) => {
      const tenant = await world.platform();
      await (await tenant.user()).upload();
      const today = todayOf(tenant);
      const found = await days(tenant, shift(today, -3), shift(today, 1));
      assert.deepEqual(
        found.slice(0, 4).map(({ date }) => date),
        [-3, -2, -1, 0].map((by) => Number(shift(today, by))),
      );
      assert.deepEqual(found[0]?.stats, zeros);
      assert.equal(found.at(-1)?.stats.total_images, 1);
    },
  );

  check('dailyStatistics', 'IF 29 sort_order desc', async (world) => {
    const tenant = await world.platform();
    const found = await days(tenant, '20240228', '20240301', 'desc');
    assert.deepEqual(
      found.map(({ date }) => date),
      [20240301, 20240229, 20240228],
    );
  });

  check('dailyStatistics', '§7 days after today are omitted', async (world) => {
    const tenant = await world.platform();
    const today = todayOf(tenant);
    const found = await days(tenant, today, shift(today, 5));
    assert.ok([1, 2].includes(found.length) && found[0]?.date === Number(today));
    assert.deepEqual(await days(tenant, shift(today, 2), shift(today, 5)), []);
  });

  check('dailyStatistics', '§7 up to 3,660 days, from the first year on', async (world) => {
    const tenant = await world.platform();
    assert.equal((await days(tenant, '20100101', '20200108')).length, 3660);
    assert.equal((await days(tenant, '00010101', '00010102')).length, 2);
  });

  check('totalStatistics', '§7 is of the platform alone', async (world) => {
    const [mine, other] = [await world.platform(), await world.platform()];
    await (await other.user()).upload();
    assert.deepEqual(await total(mine), zeros);
  });

  const invalid: [what: string, start_date: string, end_date: string, field: string][] = [
    ['a nonexistent day', '20240230', '20240301', 'start_date'],
    ['an end before the start', '20240302', '20240301', 'end_date'],
    ['the year 0', '00000101', '20240101', 'start_date'],
    ['a month that does not exist', '20240101', '20241301', 'end_date'],
    ['a day in words', '20240101', '2024-01-02', 'end_date'],
    ['a time', '20240101', '20240102_000000', 'end_date'],
    ['3,661 days', '20100101', '20200109', 'end_date'],
  ];
  const refusals: [string, Record<string, string>, string, string][] = [
    ...invalid.map(([what, start_date, end_date, field]): (typeof refusals)[number] => [
      what,
      { start_date, end_date },
      'invalid_field',
      field,
    ]),
    ['start_date is required', { end_date: '20240101' }, 'missing_field', 'start_date'],
    ['end_date is required', { start_date: '20240101' }, 'missing_field', 'end_date'],
    ['an empty start', { start_date: '', end_date: '20240101' }, 'missing_field', 'start_date'],
    ['an empty end', { start_date: '20240101', end_date: '' }, 'missing_field', 'end_date'],
    [
      'another sort_order',
      { start_date: '20240101', end_date: '20240102', sort_order: 'up' },
      'invalid_field',
      'sort_order',
    ],
  ];
  for (const [what, query, code, field] of refusals) {
    check('dailyStatistics', `§7 ${what}: 400`, async (world) => {
      refused(await (await world.platform()).statistics('', query), 400, code, field);
    });
  }
});
