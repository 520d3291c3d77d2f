import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Album } from '../../testkit/album.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const album = await Album.of(service);

async function objectKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.service.store.list('')) keys.push(key);
  return keys;
}

test('of what is no image, and of a damaged one, nothing is left', async () => {
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
  assert.deepEqual(await readdir(service.home.incoming), []);
});
