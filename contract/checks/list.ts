import assert from 'node:assert/strict';
import { done, near, refused } from '../../testkit/expect.js';
import { readPages } from '../../testkit/read-pages.js';
import { area } from '../harness.js';
import type { Image, Page } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';

export const ids = ({ items }: Page<Image>) => items.map(({ id }) => id);

/** A user with an image on each of these days of March 2024, newest first. */
export async function withDays(world: World, days: readonly number[]) {
  const user = await world.user();
  const images: Image[] = [];
  for (const day of days) {
    images.push(await user.upload({ created_at: `202403${String(day).padStart(2, '0')}_120000` }));
  }
  return { user, images };
}

interface DayOfImages {
  readonly date: number;
  readonly count: number;
  readonly images: readonly Image[];
}

type Separated = Page<DayOfImages> & { readonly total_images: number };

const readAllImages = (user: Member, query: Record<string, string | number>): Promise<Image[]> =>
  readPages((at) => user.list({ ...query, ...at }));

export const list = area('list', (check) => {
  check('listImages', '§1.3 none and null stand for parameters that are omitted', async (world) => {
    const { user } = await withDays(world, [2, 3, 1]);
    const names = [
      'view_type has_delete_at with_history with_memo with_custom search_type days_or_date_range',
      'days_range search_date_by start_date end_date sort_by sort_order date latitude longitude radius',
      'located camera upload_set_id custom_key folder_id with_subfolders download last_index page_size cursor',
    ].flatMap((some) => some.split(' '));
    const query = Object.fromEntries(names.map((name, n) => [name, n % 2 ? 'none' : 'NULL']));
    assert.deepEqual(ids(await user.list(query)), ids(await user.list()));
    assert.equal((await user.list({ has_det: 'True' })).total_count, 0);
    assert.equal((await user.list({ has_det: 'none' })).total_count, 3);
    assert.equal((await user.list({ search: 'none' })).total_count, 0);
  });

  check('listImages', '§6.11 newest first; count, total, megabytes', async (world) => {
    const { user, images } = await withDays(world, [2, 3, 1]);
    const page = await user.list();
    assert.deepEqual(ids(page), [images[1]?.id, images[0]?.id, images[2]?.id]);
    assert.deepEqual(
      [page.count, page.total_count, page.last_index, page.page_size],
      [3, 3, 3, 60],
    );
    near(
      page.total_filesize_mb,
      images.reduce((sum, i) => sum + i.filesize_mb, 0),
      5e-6,
    );
  });

  check(
    'listImages',
    '§6.19 megabytes are those of all matches, not of the page',
    async (world) => {
      const { user, images } = await withDays(world, [2, 1]);
      const { count, total_count, total_filesize_mb } = await user.list({ page_size: 1 });
      assert.deepEqual([count, total_count], [1, 2]);
      near(
        total_filesize_mb,
        images.reduce((sum, i) => sum + i.filesize_mb, 0),
        5e-6,
      );
      const day = await user.list({ date: '20240301' });
      near(day.total_filesize_mb, images[1]?.filesize_mb ?? 0);
    },
  );

  check('listImages', '§6.19 a user without images gets an empty page', async (world) => {
    const page = await (await world.user()).list();
    assert.deepEqual([page.count, page.total_count, page.items], [0, 0, []]);
    assert.equal(page.total_filesize_mb, 0);
  });

  check(
    'listImages',
    '§1.9 last_index pages without gap or repetition, even with equal times',
    async (world) => {
      const { user, images } = await withDays(world, [5, 5, 5, 5, 6]);
      const seen = await readAllImages(user, { page_size: 2 });
      assert.deepEqual(seen.map(({ id }) => id).sort(), images.map(({ id }) => id).sort());
      assert.deepEqual(
        ids(await user.list()),
        seen.map(({ id }) => id),
      );
    },
  );

  check('listImages', '§1.9 a cursor walks on, whatever comes and goes', async (world) => {
    const { user, images } = await withDays(world, [1, 2, 3, 4, 5]);
    const query = { page_size: 2, has_delete_at: 'False' };
    const first = await user.list(query);
    if (first.items[0]) await user.trash(first.items[0]);
    await user.upload();
    const walked = [...first.items];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page = await user.list({ ...query, last_index: 4, cursor });
      assert.equal(page.last_index, null);
      walked.push(...page.items);
      cursor = page.next_cursor;
    }
    assert.deepEqual(walked.map(({ id }) => id).sort(), images.map(({ id }) => id).sort());
  });

  check('listImages', '§1.9 a cursor of another list is invalid_cursor', async (world) => {
    const { user } = await withDays(world, [1, 2]);
    const { next_cursor: cursor } = await user.list({ page_size: 1 });
    for (const [field, value] of [
      ['has_det', 'True'],
      ['sort_by', 'taken_at'],
      ['view_type', 'grid_sep'],
    ] as const) {
      const answer = await user.get('/images', { [field]: value, cursor: cursor ?? '' });
      refused(answer, 400, 'invalid_cursor', 'cursor');
    }
    refused(await user.get('/images', { cursor: 'x' }), 400, 'invalid_cursor', 'cursor');
  });

  check('listImages', '§1.9 a page past the end is empty', async (world) => {
    const { user } = await withDays(world, [1]);
    const page = await user.list({ last_index: 7 });
    assert.deepEqual([page.count, page.total_count, page.items], [0, 1, []]);
    assert.equal(page.last_index, 7);
  });

  for (const [name, value] of [
    ['page_size', '0'],
    ['page_size', '1001'],
    ['page_size', '1.5'],
    ['last_index', '-1'],
    ['last_index', 'abc'],
    ['view_type', 'mosaic'],
    ['search_type', 'colour'],
    ['sort_by', 'size'],
    ['sort_order', 'sideways'],
    ['search_date_by', 'deleted_at'],
    ['days_or_date_range', 'weeks'],
    ['has_det', 'maybe'],
    ['has_delete_at', 'maybe'],
    ['with_memo', 'maybe'],
    ['with_history', 'maybe'],
    ['date', '20250231'],
    ['date', '2025-01-01'],
    ['date', '20250201_000000'],
    ['sort_by', 'updated_at'],
  ] as const) {
    check('listImages', `§6.13 ${name}=${value} is rejected`, async (world) => {
      const query = { search: 'x', [name]: value };
      const answer = await (await world.user()).get('/images', query);
      refused(answer, 400, ['invalid_field', 'invalid_cursor'], name);
    });
  }

  check('listImages', 'IF rule 1 has_delete_at: all, only trash, only active', async (world) => {
    const { user, images } = await withDays(world, [2, 1]);
    const [kept, gone] = images;
    assert.ok(kept && gone);
    await user.trash(gone);
    assert.deepEqual(ids(await user.list()), [kept.id, gone.id]);
    assert.deepEqual(ids(await user.list({ has_delete_at: 'True' })), [gone.id]);
    const active = await user.list({ has_delete_at: 'false' });
    assert.deepEqual([ids(active), active.total_count], [[kept.id], 1]);
    near(active.total_filesize_mb, kept.filesize_mb);
    assert.deepEqual(ids(await user.list({ has_delete_at: 'None' })), [kept.id, gone.id]);
  });

  check('listImages', 'IF rule 2 with_history; with_memo, with_custom', async (world) => {
    const user = await world.user();
    const image = await user.edit(await user.upload());
    done(await user.post(`/images/${image.id}/memos`, { message: 'm', is_client: 'False' }));
    done(await user.post(`/images/${image.id}/customs`, { key: 'k', value: 'v' }));
    const [bare] = (await user.list()).items;
    assert.deepEqual([bare?.memos, bare?.customs, bare?.filedatas], [null, null, null]);
    const query = { with_history: 'True', with_memo: 'True', with_custom: 'True' };
    const [full] = (await user.list(query)).items;
    assert.deepEqual([full?.memos?.[0]?.message, full?.customs?.[0]?.value], ['m', 'v']);
    assert.equal(full?.filedatas?.[0]?.hashdata, image.hashdata);
  });

  check(
    'listImages',
    '§6.12 has_det filters by True, False, and None; omitted, it does not filter',
    async (world) => {
      const user = await world.user();
      const images = new Map<string, string>();
      for (const word of ['True', 'False', 'None']) {
        images.set(word, (await user.upload({ has_det: word })).id);
      }
      for (const [word, id] of images) {
        assert.deepEqual(ids(await user.list({ has_det: word })), [id], word);
      }
      assert.deepEqual(ids(await user.list({ has_det: 'null' })), [images.get('None')]);
      for (const query of [{}, { has_det: '' }]) {
        assert.equal((await user.list(query as Record<string, string>)).total_count, 3);
      }
    },
  );

  check('listImages', 'X8.2 sort_order asc is the same list from its other end', async (world) => {
    const { user } = await withDays(world, [2, 3, 1, 4, 3]);
    const inner = await user.folder('b', await user.folder('a'));
    const { parent_id } = inner;
    for (const { id } of (await user.list({ page_size: 3 })).items) {
      done(await user.put(`/images/${id}`, { folder_id: inner.id, address_det: '한강' }));
    }
    const filters: Record<string, string>[] = [
      {},
      { has_delete_at: 'False' },
      { sort_by: 'taken_at' },
      { has_det: 'None', located: 'False' },
      { folder_id: 'root' },
      { folder_id: inner.id },
      { folder_id: parent_id ?? '', with_subfolders: 'True' },
      { search_type: 'address', search: '한강' },
      { days_or_date_range: 'days_range', days_range: '2', search_date_by: 'updated_at' },
    ];
    for (const filter of filters) {
      const whole = await user.list(filter);
      const expected = ids(whole).reverse();
      assert.ok(expected.length > 1, JSON.stringify(filter));
      const query = { ...filter, sort_order: 'asc', page_size: 2 };
      const pages = (await readAllImages(user, query)).map(({ id }) => id);
      assert.deepEqual(pages, expected, `pages of ${JSON.stringify(filter)}`);
      const walked: string[] = [];
      for (let cursor: string | null | undefined = ''; cursor !== null;) {
        const page: Page<Image> = await user.list({ ...query, cursor: cursor ?? '' });
        assert.equal(page.total_count, whole.total_count);
        walked.push(...ids(page));
        cursor = page.next_cursor ?? null;
      }
      assert.deepEqual(walked, expected, `a walk of ${JSON.stringify(filter)}`);
    }
    const { next_cursor } = await user.list({ page_size: 2 });
    const other = { sort_order: 'asc', cursor: next_cursor ?? '' };
    refused(await user.get('/images', other), 400, 'invalid_cursor', 'cursor');
  });

  check('listImages', '§6.11 sort_by and sort_order may name the default order', async (world) => {
    const { user } = await withDays(world, [1, 2]);
    const named = await user.list({ sort_by: 'created_at', sort_order: 'desc' });
    assert.deepEqual(ids(named), ids(await user.list()));
  });

  check('listImages', 'X8.2 taken_at is created_at of images without one', async (world) => {
    const { user } = await withDays(world, [1, 3, 2, 3]);
    const wanted = ids(await user.list());
    assert.deepEqual(ids(await user.list({ sort_by: 'taken_at' })), wanted);
    const day = await user.list({ search_date_by: 'taken_at', date: '20240303' });
    assert.deepEqual([ids(day), day.total_count], [wanted.slice(0, 2), 2]);
    const { items } = done(
      await user.get<Separated>('/images', { view_type: 'grid_sep', sort_by: 'taken_at' }),
    );
    assert.deepEqual(
      items.map(({ date, count }) => [date, count]),
      [
        [20240303, 2],
        [20240302, 1],
        [20240301, 1],
      ],
    );
  });

  check('listImages', '§6.15 date narrows any view to a day of created_at', async (world) => {
    const user = await world.user();
    await user.upload({ created_at: '20240309_235959' });
    const day = [
      await user.upload({ created_at: '20240310_000000', lat: '1', lng: '1' }),
      await user.upload({ created_at: '20240310_235959', lat: '1', lng: '1' }),
    ].map(({ id }) => id);
    await user.upload({ created_at: '20240311_000000' });
    for (const view_type of ['grid', 'list']) {
      const found = await user.list({ date: '20240310', view_type });
      assert.deepEqual([ids(found).sort(), found.total_count], [day.sort(), 2], view_type);
    }
    const map = await user.list({
      view_type: 'map',
      latitude: 1,
      longitude: 1,
      date: '20240310',
    });
    assert.equal(map.total_count, 2);
  });

  check('listImages', 'IF rule 7 grid_sep returns days, paged by images', async (world) => {
    const { user } = await withDays(world, [1, 3, 3, 2, 3]);
    const read = async (query: Record<string, string | number>) =>
      done(await user.get<Separated>('/images', { view_type: 'grid_sep', ...query }));
    const all = await read({});
    assert.deepEqual(
      all.items.map(({ date, count, images }) => [date, count, images.length]),
      [
        [20240303, 3, 3],
        [20240302, 1, 1],
        [20240301, 1, 1],
      ],
    );
    assert.deepEqual([all.total_images, all.last_index], [5, 5]);
    assert.deepEqual([all.count, all.total_count], [5, 5]);
    const [day, ...more] = (await read({ date: '20240302' })).items;
    assert.deepEqual([day?.date, day?.count, more], [20240302, 1, []]);
    const page = await read({ page_size: 2, last_index: 2 });
    assert.deepEqual(
      page.items.map(({ date, count }) => [date, count]),
      [
        [20240303, 1],
        [20240302, 1],
      ],
      'count: the images of that day in this response',
    );
    assert.deepEqual([page.total_images, page.last_index], [5, 4]);
  });

  check('listImages', '§1.7 a day runs from midnight to midnight', async (world) => {
    const user = await world.user();
    await user.upload({ created_at: '20240301_235959' });
    await user.upload({ created_at: '20240302_000000' });
    const query = { view_type: 'grid_sep' };
    const { items } = done(await user.get<Separated>('/images', query));
    assert.deepEqual(
      items.map(({ date, count }) => [date, count]),
      [
        [20240302, 1],
        [20240301, 1],
      ],
    );
  });

  check('listImages', '§6.17 view_type list responds like grid', async (world) => {
    const { user } = await withDays(world, [1, 2]);
    assert.deepEqual(ids(await user.list({ view_type: 'list' })), ids(await user.list()));
  });
});
