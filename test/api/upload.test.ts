import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import { Album } from '../../testkit/album.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { uploadsIn } from '../../testkit/temporary.js';

const service = await testService();
const album = await Album.of(service);

async function objectKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.service.store.list(`${album.user.platformId}/`))
    keys.push(key);
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
    const { error } = await album.call('POST', '', { form: { image_data: filePart(bytes) } });
    assert.equal(error?.code, code);
  }
  assert.deepEqual(await objectKeys(), before);
  assert.deepEqual(await uploadsIn(service.home.incoming), []);
});

/** As JSON, without the signatures of URLs, which change with time. */
const printed = (record: ImageRecord): string => JSON.stringify(record).replaceAll(/\?[^"]*/g, '');

test('the answer to an upload equals that to a read of the image', async () => {
  const folder = await album.folder('한강');
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
    const { result } = await album.call<ImageRecord>('POST', '', { form: { ...form, ...part } });
    const query = { with_memo: 'message' in form ? 'True' : 'False', with_history: 'True' };
    const read = await album.call<ImageRecord>('GET', `/${result.id}`, { query });
    assert.equal(printed(result), printed(read.result));
  }
});
