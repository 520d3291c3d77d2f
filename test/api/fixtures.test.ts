import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import type { ImageRecord } from '../../src/images/schemas.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

// Name, resource type, resolution, and place or what path_url shows.
const photos: [string, string, string, { place?: [number, number]; shown?: string }][] = [
  ['DSCN0010.jpg', 'jpeg', '640x480', { place: [43.4674483, 11.8851267] }],
  ['Canon_40D.jpg', 'jpeg', '100x68', {}],
  ['landscape_6.jpg', 'jpeg', '600x450', {}],
  ['image01551.jpg', 'jpeg', '61x58', {}],
  ['image02206.jpg', 'jpeg', '65x65', {}],
  ['Arbitro.tiff', 'tiff', '174x38', { shown: 'jpeg' }],
  ['samplefilehub.heif', 'heif', '640x426', { shown: 'jpeg' }],
];

const service = await testService({ after });
const user = await service.user();

describe('real photographs', () => {
  for (const [name, type, resolution, { place, shown }] of photos) {
    test(`${name} is taken in and given back bit for bit`, async () => {
      const bytes = await readPhoto(name);
      const { status, result } = await service.client.post<ImageRecord>(user.images, {
        as: ['User', user.token],
        form: { image_data: filePart(bytes) },
      });
      assert.equal(status, 200);
      assert.deepEqual([result.image_resource_type, result.resolution], [type, resolution]);
      if (place) assert.deepEqual([result.lat, result.lng], place);
      const original = await fetch(result.org_path_url);
      assert.deepEqual(Buffer.from(await original.arrayBuffer()), bytes);
      const display = Buffer.from(await (await fetch(result.path_url)).arrayBuffer());
      if (shown) assert.equal((await sharp(display).metadata()).format, shown);
      else assert.deepEqual(display, bytes, 'small enough to be shown as it is');
    });
  }
});
