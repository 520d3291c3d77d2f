import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { assertAccounts } from '../../testkit/accounts.js';
import { bytesOf } from '../../testkit/fetch.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { ownService, type TestService } from '../../testkit/service.js';

const heic = await readPhoto('grid.heic');

async function uploadTo(service: TestService): Promise<{ image: Image; url: string }> {
  const album = await service.user();
  const form = { image_data: filePart(heic) };
  const { result: image } = await album.call<Image>('POST', '/images', { form });
  return { image, url: image.full_url ?? '' };
}

test('a bucket that serves clients itself: the whole picture is made here, and fetched there', async () => {
  const bucketConfig = newBucketConfig();
  after(() => removeBucket(bucketConfig));
  const service = await ownService({ after }, s3Settings(bucketConfig));
  const { image, url } = await uploadTo(service);
  assert.ok(url.startsWith(`${service.service.url}/files/`), url);
  const answer = await fetch(url, { redirect: 'manual' });
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [302, 'no-store']);
  const there = answer.headers.get('location') ?? '';
  const [endpoint = ''] = bucketConfig.endpoints;
  assert.ok(there.startsWith(`${endpoint}/${bucketConfig.bucket}/`), there);
  assert.match(there, /\/full\.jpg\?/);
  const { width, height } = await sharp(await bytesOf(url)).metadata();
  assert.equal(`${width}x${height}`, image.resolution);
  const other = await service.secondNode();
  const again = await fetch(url.replace(service.client.base, other.base), { redirect: 'manual' });
  assert.equal(again.status, 302);
  await assertAccounts(service);
});

test('s3.delivery = proxy: the API sends the whole picture, including ranges', async () => {
  const bucketConfig = newBucketConfig();
  after(() => removeBucket(bucketConfig));
  const settings = { ...s3Settings(bucketConfig), 's3.delivery': 'proxy' };
  const service = await ownService({ after }, settings);
  const { url } = await uploadTo(service);
  const answers = await Promise.all(Array.from({ length: 10 }, () => bytesOf(url)));
  for (const bytes of answers) assert.deepEqual(bytes, answers[0]);
  const part = await fetch(url, { headers: { range: 'bytes=0-1' } });
  assert.equal(part.status, 206);
  assert.deepEqual([...new Uint8Array(await part.arrayBuffer())], [0xff, 0xd8]);
  await assertAccounts(service);
});
