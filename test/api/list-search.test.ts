import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ImageList } from '../../src/images/list/schemas.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';

const service = await testService({ after });
const user = await service.user();
const stranger = await service.user();

const folder = await seedFolder(service, user, '제주 여행');
const [road, wild, memo, custom, inFolder] = await seedImages(service, user, [
  { created_at: '2025-01-06Z', address_road: '서울특별시 세종대로 110', building_name: '서울시청' },
  { created_at: '2025-01-05Z', address_det: '100%_off \\ Café', building_name: 'Rockefeller' },
  { created_at: '2025-01-04Z', filename: '20250101_000000_000_abcdef0_0.jpg' },
  { created_at: '2025-01-03Z', address_road: 'Straße' },
  { created_at: '2025-01-02Z', folder_id: folder, deleted_at: '2025-02-01Z' },
]);
const note = (who: TestUser, image: string | undefined, message: string) =>
  service.db.query(
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     VALUES (gen_random_uuid(), $1, $2, $3, false)`,
    [who.id, image, message],
  );
await note(user, memo, '첫 번째 메모: Quick Brown Fox');
await note(user, memo, 'and another quick one');
await service.db.query(
  `INSERT INTO customs (id, user_id, image_id, key, value)
   VALUES (gen_random_uuid(), $1, $2, 'Camera', 'Leica M3')`,
  [user.id, custom],
);
const [foreign] = await seedImages(service, stranger, [{ address_road: '서울특별시' }]);
await note(stranger, foreign, 'quick');

const names = new Map([
  [road, 'road'],
  [wild, 'wild'],
  [memo, 'memo'],
  [custom, 'custom'],
  [inFolder, 'folder'],
]);

const find = async (search: string, search_type?: string, more = {}): Promise<unknown[]> => {
  const query = { search, ...(search_type && { search_type }), ...more };
  const { status, result, error } = await service.client.get<ImageList>(user.images, {
    as: ['User', user.token],
    query,
  });
  assert.equal(status, 200, error?.message);
  assert.equal(result.total_count, result.items.length);
  return result.items.map(({ id }) => names.get(id));
};

const cases: [string, string | undefined, string[]][] = [
  ['세종대로', 'address', ['road']],
  ['서울', 'address', ['road']],
  ['시청', 'building_name', ['road']],
  ['세종대로', 'building_name', []],
  ['rockefeller', 'building_name', ['wild']],
  ['ROCKE', 'address', ['wild']],
  ['ABCDEF', 'filename', ['memo']],
  ['fox', 'memo', ['memo']],
  ['QUICK', 'memo', ['memo']],
  ['fox', 'address', []],
  ['camera', 'custom', ['custom']],
  ['leica', 'custom', ['custom']],
  ['cameraleica', 'custom', []],
  ['제주', 'folder', ['folder']],
  ['제주', 'all', ['folder']],
  ['quick', 'all', ['memo']],
  ['q', undefined, ['memo']],
  ['110서울', 'address', []],
];
for (const [search, type, expected] of cases) {
  test(`"${search}" in ${type ?? 'anything'}: ${expected.join(', ') || 'nothing'}`, async () => {
    assert.deepEqual(await find(search, type), expected);
  });
}

test('wildcards are literal', async () => {
  assert.deepEqual(await find('100%_off', 'address'), ['wild']);
  assert.deepEqual(await find('100__off', 'address'), []);
  assert.deepEqual(await find('%', 'address'), ['wild']);
  assert.deepEqual(await find('1%0', 'address'), []);
  assert.deepEqual(await find('\\', 'address'), ['wild']);
  assert.deepEqual(await find('off \\ c', 'address'), ['wild']);
});

test('composed and decomposed spellings are alike, on both sides', async () => {
  assert.deepEqual(await find('café'.normalize('NFD'), 'address'), ['wild']);
  assert.deepEqual(await find('세종대로'.normalize('NFD'), 'address'), ['road']);
  const other = await service.user();
  await seedImages(service, other, [{ address_road: '한강공원 É'.normalize('NFD') }]);
  const { result } = await service.client.get<ImageList>(other.images, {
    as: ['User', other.token],
    query: { search: '강공원 é' },
  });
  assert.equal(result.count, 1);
});

test('case counts nowhere, beyond ASCII too', async () => {
  assert.deepEqual(await find('CAFÉ', 'address'), ['wild']);
  assert.deepEqual(await find('STRAß', 'address'), ['custom']);
});

test('a search goes together with the other filters, and with other views', async () => {
  assert.deepEqual(await find('제주', 'folder', { has_delete_at: 'False' }), []);
  assert.deepEqual(await find('e', 'all', { date: '20250104' }), ['memo']);
  assert.deepEqual(await find('e', 'all', { date: '20250105' }), ['wild']);
  assert.deepEqual(await find('e', 'all', { date: '20250107' }), []);
});
