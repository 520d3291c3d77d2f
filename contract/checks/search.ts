import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';
import { ids, withDays } from './list.js';

const find = async (user: Member, search: string, search_type?: string): Promise<string[]> =>
  ids(await user.list({ search, ...(search_type && { search_type }) }));

/** A user and an image for each of these fields, all matching the word 홍시. */
async function findable(user: Member): Promise<Map<string, Image>> {
  const folder = await user.folder('감나무 홍시 밭');
  const images = new Map([
    ['address', await user.upload({ address_land: '대봉 홍시로 12' })],
    ['building_name', await user.upload({ building_name: '홍시빌딩' })],
    ['folder', await user.upload({ folder_id: folder.id })],
    ['memo', await user.upload()],
    ['custom', await user.upload()],
    ['none', await user.upload()],
  ]);
  const path = (name: string) => `/images/${images.get(name)?.id}`;
  done(await user.post(`${path('memo')}/memos`, { message: '잘 익은 홍시', is_client: 'True' }));
  done(await user.post(`${path('custom')}/customs`, { key: '과일', value: '홍시' }));
  return images;
}

const wanted: Record<string, readonly string[]> = {
  address: ['address', 'building_name'],
  building_name: ['building_name'],
  folder: ['folder'],
  memo: ['memo'],
  custom: ['custom'],
  filename: [],
  all: ['address', 'building_name', 'folder', 'memo', 'custom'],
};

export const search = area('search', (check) => {
  for (const [type, names] of Object.entries(wanted)) {
    check('listImages', `§6.14 search_type ${type}`, async (world) => {
      const user = await world.user();
      const images = await findable(user);
      const found = await find(user, '홍시', type);
      assert.deepEqual(found.sort(), names.map((name) => images.get(name)?.id ?? '').sort());
    });
  }

  check('listImages', '§6.14 search_type filename', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    await user.upload();
    const part = image.hashdata.slice(3, 40);
    for (const word of [part, part.toUpperCase()]) {
      assert.deepEqual(await find(user, word, 'filename'), [image.id]);
    }
  });

  check('listImages', '§6.14 search_type custom includes keys', async (world) => {
    const user = await world.user();
    const images = await findable(user);
    assert.deepEqual(await find(user, '과일', 'custom'), [images.get('custom')?.id]);
    assert.deepEqual(await find(user, '과일홍시', 'custom'), [], 'each by itself');
  });

  check('listImages', '§6.14 search without search_type searches all', async (world) => {
    const user = await world.user();
    await findable(user);
    assert.deepEqual(await find(user, '홍시'), await find(user, '홍시', 'all'));
  });

  check('listImages', 'IF rule 5 with search_type, search is required', async (world) => {
    const user = await world.user();
    for (const query of [{}, { search: '' }] as Record<string, string>[]) {
      const answer = await user.get('/images', { search_type: 'memo', ...query });
      refused(answer, 400, 'missing_field', 'search');
    }
  });

  check('listImages', '§6.14 search is a substring in any case', async (world) => {
    const user = await world.user();
    const image = await user.upload({ address_road: 'Gangnam-Daero 396' });
    assert.deepEqual(await find(user, 'NAM-dAERO', 'address'), [image.id]);
    assert.deepEqual(await find(user, 'n', 'address'), [image.id], 'one letter');
    assert.deepEqual(await find(user, 'Busan', 'address'), []);
    const other = await user.upload({ address_road: 'Café Straße 1', building_name: '2 tower' });
    for (const word of ['CAFÉ', 'STRAß']) {
      assert.deepEqual(await find(user, word, 'address'), [other.id], word);
    }
    assert.deepEqual(await find(user, '12', 'address'), [], 'each field by itself');
  });

  check('listImages', '§6.14 NFC and NFD are equivalent', async (world) => {
    const user = await world.user();
    const [composed, apart] = ['세종대로'.normalize('NFC'), '세종대로'.normalize('NFD')];
    const images = [
      await user.upload({ address_road: composed }),
      await user.upload({ address_road: apart }),
    ].map(({ id }) => id);
    for (const word of [composed, apart]) {
      assert.deepEqual((await find(user, word, 'address')).sort(), images.sort());
    }
  });

  for (const [wild, other] of [
    ['100%', '100x'],
    ['a_b', 'axb'],
    ['c\\d', 'cd'],
    ["o'clock", 'oclock'],
  ] as const) {
    check('listImages', `§6.14 ${wild} is taken literally`, async (world) => {
      const user = await world.user();
      const image = await user.upload({ building_name: `x ${wild} y` });
      await user.upload({ building_name: `x ${other} y` });
      assert.deepEqual(await find(user, wild, 'building_name'), [image.id]);
    });
  }

  check('listImages', '§6.14 a search combines with the other filters', async (world) => {
    const user = await world.user();
    const building_name = 'tower';
    const first = await user.upload({ building_name, created_at: '20240101_000000' });
    const second = await user.upload({ building_name, created_at: '20240102_000000' });
    await user.trash(second);
    const read = async (query: Record<string, string>) =>
      ids(await user.list({ search: 'tower', ...query }));
    assert.deepEqual(await read({ has_delete_at: 'False' }), [first.id]);
    assert.deepEqual(await read({ date: '20240102' }), [second.id]);
    assert.deepEqual(await read({ date: '20240103' }), []);
  });

  check('listImages', '§6.14 a search finds only images of the user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    await findable(other);
    assert.deepEqual(await find(user, '홍시'), []);
  });

  check('listImages', '§6.14 searches are paged like lists', async (world) => {
    const user = await world.user();
    for (const day of [1, 2, 3]) {
      await user.upload({ building_name: 'tower', created_at: `2024010${day}_000000` });
    }
    await user.upload();
    const page = await user.list({ search: 'tower', page_size: 2 });
    assert.deepEqual([page.count, page.total_count, page.last_index], [2, 3, 2]);
    const rest = await user.list({ search: 'tower', page_size: 2, last_index: 2 });
    assert.equal(rest.count, 1);
  });
});

const range = { days_or_date_range: 'date_range' };
const days = { days_or_date_range: 'days_range' };

export const dates = area('dates', (check) => {
  check('listImages', 'IF rule 5 date_range needs start_date and end_date', async (world) => {
    const user = await world.user();
    const [start_date, end_date] = ['20240101', '20240102'];
    refused(await user.get('/images', { ...range, end_date }), 400, 'missing_field', 'start_date');
    refused(await user.get('/images', { ...range, start_date }), 400, 'missing_field', 'end_date');
    refused(await user.get('/images', days), 400, 'missing_field', 'days_range');
  });

  check('listImages', '§1.7 a range includes both of its days', async (world) => {
    const { user, images } = await withDays(world, [1, 2, 3, 4]);
    const found = await user.list({ ...range, start_date: '20240302', end_date: '20240303' });
    assert.deepEqual(ids(found), [images[2]?.id, images[1]?.id]);
  });

  check('listImages', '§6.15 date narrows a range further', async (world) => {
    const { user, images } = await withDays(world, [1, 2, 3]);
    const query = { ...range, start_date: '20240301', end_date: '20240302', date: '20240302' };
    assert.deepEqual(ids(await user.list(query)), [images[1]?.id]);
    assert.deepEqual(ids(await user.list({ ...query, date: '20240303' })), []);
  });

  check('listImages', '§1.7 a range also accepts times', async (world) => {
    const { user, images } = await withDays(world, [1, 2]);
    const query = { ...range, start_date: '20240301_120001', end_date: '20240302_120000' };
    assert.deepEqual(ids(await user.list(query)), [images[1]?.id]);
  });

  check('listImages', 'IF rule 5 days_range counts back from now', async (world) => {
    const { user } = await withDays(world, [1]);
    const today = await user.upload();
    assert.deepEqual(ids(await user.list({ ...days, days_range: 7 })), [today.id]);
  });

  check('listImages', 'IF rule 5 search_date_by updated_at', async (world) => {
    const { user, images } = await withDays(world, [1]);
    const query = { ...days, days_range: 7 };
    assert.deepEqual(ids(await user.list({ ...query, search_date_by: 'created_at' })), []);
    const found = await user.list({ ...query, search_date_by: 'updated_at' });
    assert.deepEqual(ids(found), [images[0]?.id]);
  });

  for (const [name, value] of [
    ['days_range', '0'],
    ['days_range', '-1'],
    ['days_range', 'week'],
  ] as const) {
    check('listImages', `IF rule 5 ${name}=${value} is rejected`, async (world) => {
      const answer = await (await world.user()).get('/images', { ...days, [name]: value });
      refused(answer, 400, 'invalid_field', name);
    });
  }

  check('listImages', '§1.7 a nonexistent day is rejected', async (world) => {
    const user = await world.user();
    const query = { ...range, start_date: '20250231', end_date: '20250301' };
    refused(await user.get('/images', query), 400, 'invalid_field', 'start_date');
    const back = { ...range, start_date: '20250102', end_date: '20250101' };
    refused(await user.get('/images', back), 400, 'invalid_field', 'end_date');
  });
});
