import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../testkit/client.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { uploadsIn } from '../../testkit/temporary.js';

const service = await testService();
const album = await service.user();

async function objectKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.service.store.list(`${album.platformId}/`)) keys.push(key);
  return keys;
}

test('a file that is no image, or a damaged one, leaves nothing behind', async () => {
  await album.upload();
  const before = await objectKeys();
  assert.ok(before.length > 1);
  const whole = await jpeg({ width: 800, height: 600 });
  for (const [bytes, code] of [
    [Buffer.from('%PDF-1.7 not a picture'), 'unsupported_image'],
    [whole.subarray(0, whole.length / 4), 'corrupt_image'],
  ] as const) {
    const { error } = await album.call('POST', '/images', {
      form: { image_data: filePart(bytes) },
    });
    assert.equal(error?.code, code);
  }
  assert.deepEqual(await objectKeys(), before);
  assert.deepEqual(await uploadsIn(service.home.incoming), []);
});

/** Parts of a form, in order. */
async function sendParts(
  path: string,
  parts: readonly [name: string, value: string | Buffer][],
  more: Record<string, string> = {},
) {
  const body = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([Uint8Array.from(value)]), `${name}.jpg`);
  }
  const headers = { authorization: `User ${album.token}`, ...more };
  const url = new URL(`${album.images}${path}`, service.client.base);
  const answer = await fetch(url, { method: 'POST', headers, body });
  return (await answer.json()) as Answer<Image>;
}

test('of two files nothing is stored; files under other names are fields, or ignored', async () => {
  const { id } = await album.upload();
  const before = await objectKeys();
  const [one, other] = [await jpeg({ seed: 1 }), await jpeg({ seed: 2 })];
  for (const path of ['', `/${id}/filedata`]) {
    for (const second of [other, one, 'text']) {
      const parts: [string, string | Buffer][] = [
        ['image_data', one],
        ['image_data', second],
      ];
      const orders = [parts, parts.toReversed()];
      for (const order of orders) {
        const { error } = await sendParts(path, order);
        assert.deepEqual([error?.code, error?.field], ['too_many_files', 'image_data']);
      }
    }
  }
  assert.deepEqual(await objectKeys(), before);
  assert.deepEqual(await uploadsIn(service.home.incoming), []);
  const { result } = await sendParts('', [
    ['thumbnail', other],
    ['image_data', one],
    ['address_det', Buffer.from('302호')],
  ]);
  assert.deepEqual([result.hashdata, result.address_det], [sha256(one), '302호']);
});

test('a part of a file is refused, and nothing is stored', async () => {
  const before = await objectKeys();
  const range = { 'content-range': 'bytes 0-99/200' };
  const { error } = await sendParts('', [['image_data', await jpeg({})]], range);
  assert.deepEqual([error?.code, error?.field], ['invalid_field', 'Content-Range']);
  assert.deepEqual(await objectKeys(), before);
});

/** As JSON, without the signatures of URLs, which change with time. */
const printed = (record: Image): string => JSON.stringify(record).replaceAll(/\?[^"]*/g, '');

test('the answer to an upload equals that to a read of the image', async () => {
  const folder = (await album.folder('한강')).id;
  const picture = await jpeg({ place: { latitude: 37.5, longitude: 127.25 } });
  const address = { address_road: '세종대로 110', address_det: '', building_name: 'A' };
  const flags = { has_det: 'False', is_shared: 'True', is_signed: 'True', message: '확인' };
  const forms: Record<string, string>[] = [
    {},
    { ...address, ...flags, folder_id: folder, created_at: '20240229_235959' },
    { latitude: '-33.1234567', longitude: '0', upload_type: 'camera', address_sort: '1' },
  ];
  for (const form of forms) {
    const part = { image_data: filePart(picture) };
    const { result } = await album.call<Image>('POST', '/images', { form: { ...form, ...part } });
    const query = { with_memo: 'message' in form ? 'True' : 'False', with_history: 'True' };
    const read = await album.call<Image>('GET', `/images/${result.id}`, { query });
    assert.equal(printed(result), printed(read.result));
  }
});
