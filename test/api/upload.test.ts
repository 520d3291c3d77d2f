import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import type { ImageRecord } from '../../src/images/schemas.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestService } from '../../testkit/service.js';

const bytesOf = async (address: string): Promise<Buffer> => {
  const answer = await fetch(address);
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
};

const objectKeys = async ({ service }: TestService): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of service.store.list('')) keys.push(key);
  return keys.filter((key) => key !== 'instance.json');
};

const service = await testService({ after });
const user = await service.user();

describe('uploading an image', () => {
  const upload = (picture: Uint8Array, fields: Record<string, string> = {}) =>
    service.client.post<ImageRecord>(user.images, {
      as: ['User', user.token],
      form: { ...fields, image_data: filePart(picture) },
    });

  test('keeps the bytes, reads the place from EXIF, and makes a rendition without metadata', async () => {
    const place = { latitude: 43.4674481, longitude: 11.8851271 };
    const picture = await jpeg({ width: 3264, height: 2448, place });
    const hash = createHash('sha256').update(picture).digest('hex');

    const { status, message, result } = await upload(picture);

    assert.equal(status, 200);
    assert.equal(message, '성공');
    assert.match(result.filename, /^\d{8}_\d{6}_\d{3}_\d{8}_\d{6}_[0-9a-f]{64}_0\.jpg$/);
    assert.ok(result.filename.includes(`_${hash}_0.jpg`));
    assert.equal(result.resolution, '3264x2448');
    assert.equal(result.image_resource_type, 'jpeg');
    assert.equal(result.filesize_mb, Math.round((picture.length / 1048576) * 1e6) / 1e6);
    assert.equal(result.filedata_total, 0);
    assert.deepEqual(result.filedatas, []);
    assert.ok(Math.abs((result.lat ?? 0) - place.latitude) < 1e-6);
    assert.ok(Math.abs((result.lng ?? 0) - place.longitude) < 1e-6);
    assert.deepEqual(await bytesOf(result.org_path_url), picture);
    const shown = await sharp(await bytesOf(result.path_url)).metadata();
    assert.deepEqual([shown.width, shown.height, shown.exif], [1024, 768, undefined]);
    const thumb = await sharp(await bytesOf(result.thumb_url)).metadata();
    assert.deepEqual([thumb.width, thumb.height], [256, 192]);
  });

  test('shows the stored bytes themselves when one side is exactly 1024', async () => {
    const picture = await jpeg({ width: 1024, height: 1500 });
    const { result } = await upload(picture);
    assert.deepEqual(await bytesOf(result.path_url), picture);
  });

  test('takes the place, the address and the flags as given', async () => {
    const { result } = await upload(await jpeg({ place: { latitude: 1, longitude: 2 } }), {
      lat: '0',
      lng: '0',
      address_road: '세종대로 110',
      address_det: '',
      created_at: '20240229_235959',
      has_det: 'False',
      is_shared: 'true',
      message: '첫 사진',
    });
    assert.deepEqual([result.lat, result.lng], [0, 0]);
    assert.deepEqual([result.address_road, result.address_det], ['세종대로 110', null]);
    assert.equal(result.created_at, '20240229_235959');
    assert.deepEqual([result.has_det, result.is_shared, result.is_signed], [false, true, false]);
    assert.deepEqual(
      result.memos?.map(({ message, is_client }) => [message, is_client]),
      [['첫 사진', false]],
    );
  });

  const wrong: [string, Record<string, string>, string, string][] = [
    ['half a place', { latitude: '1' }, 'missing_field', 'longitude'],
    ['a latitude off the globe', { lat: '91', lng: '0' }, 'invalid_field', 'lat'],
    ['a day that does not exist', { created_at: '20250231_000000' }, 'invalid_field', 'created_at'],
    ['sharing without a message', { is_shared: 'True' }, 'missing_field', 'message'],
    ['an unknown way of upload', { upload_type: 'fax' }, 'invalid_field', 'upload_type'],
    ['a flag that is none', { has_det: 'maybe' }, 'invalid_field', 'has_det'],
    ['an unknown folder', { folder_id: 'nowhere' }, 'folder_not_found', 'folder_id'],
    ['NUL in a text', { address_road: 'a\0b' }, 'invalid_field', 'address_road'],
  ];
  for (const [what, fields, code, field] of wrong) {
    test(`refuses ${what}`, async () => {
      const { status, error } = await upload(await jpeg(), fields);
      assert.equal(status, 400);
      assert.deepEqual([error?.code, error?.field], [code, field]);
    });
  }

  test('refuses a form without a file', async () => {
    const { status, error } = await service.client.post(user.images, {
      as: ['User', user.token],
      form: { has_det: 'true' },
    });
    assert.deepEqual([status, error?.code, error?.field], [400, 'missing_field', 'image_data']);
  });

  test('refuses what is no image, and leaves nothing of it', async () => {
    const before = await objectKeys(service);
    const { status, error } = await upload(Buffer.from('%PDF-1.7 not a picture'));
    assert.deepEqual([status, error?.code], [400, 'unsupported_image']);
    const cut = await jpeg({ width: 800, height: 600 });
    const damaged = await upload(cut.subarray(0, cut.length / 4));
    assert.deepEqual([damaged.status, damaged.error?.code], [400, 'corrupt_image']);
    assert.deepEqual(await objectKeys(service), before);
  });
});
