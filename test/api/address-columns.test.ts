import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { readZip } from '../../testkit/zip.js';

const service = await testService();
const album = await service.user();
const names = [
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
] as const;
type Address = Record<(typeof names)[number], string | null>;

const addressOf = (record: Image | undefined): Address =>
  Object.fromEntries(names.map((name) => [name, record?.[name]])) as Address;

const addressWith = (suffix: string) =>
  Object.fromEntries(names.map((name) => [name, `${name} ${suffix}`]));

test('every column of the address is stored, changed, cleared, listed and exported', async () => {
  const uploaded = addressWith('as uploaded');
  const image = await album.upload({ ...uploaded, created_at: '20250102_120000' });
  assert.deepEqual(addressOf(image), uploaded);
  assert.deepEqual(
    addressOf(await album.upload()),
    Object.fromEntries(names.map((n) => [n, null])),
  );

  const changed = addressWith('as changed');
  assert.deepEqual(
    addressOf((await album.put<Image>(`/images/${image.id}`, changed)).result),
    changed,
  );
  for (const name of names) {
    assert.equal(
      (await album.put<Image>(`/images/${image.id}`, { [name]: '' })).result[name],
      null,
    );
    await album.put<Image>(`/images/${image.id}`, { [name]: changed[name] ?? '' });
  }
  const query = { search: 'as changed', date: '20250102' };
  const { result } = await album.call<{ items: Image[] }>('GET', '/images', { query });
  assert.deepEqual(addressOf(result.items[0]), changed);

  const download = { ...query, view_type: 'list', download: 'True' };
  const { client } = service;
  const as = ['User', album.token] as const;
  const answer = await client.raw('GET', album.images, { as, query: download });
  const table = readZip(Buffer.from(await answer.arrayBuffer()))
    .pop()
    ?.data.toString('utf8');
  const [head = [], line = []] = (table ?? '').split('\r\n').map((text) => text.split(','));
  for (const name of names) assert.equal(line[head.indexOf(name)], changed[name], name);
});
