import assert from 'node:assert/strict';
import sharp from 'sharp';
import { bytesOf } from '../../testkit/fetch.js';
import { area } from '../harness.js';
import { readPhoto } from '../../testkit/photos.js';

// Name, resource type, resolution, and location or format of path_url.
const photographs: [string, string, string, { place?: [number, number]; shown?: string }][] = [
  ['DSCN0010.jpg', 'jpeg', '640x480', { place: [43.4674483, 11.8851267] }],
  ['Canon_40D.jpg', 'jpeg', '100x68', {}],
  ['landscape_6.jpg', 'jpeg', '600x450', {}],
  ['image01551.jpg', 'jpeg', '61x58', {}],
  ['image02206.jpg', 'jpeg', '65x65', {}],
  ['Arbitro.tiff', 'tiff', '174x38', { shown: 'jpeg' }],
  ['samplefilehub.heif', 'heif', '640x426', { shown: 'jpeg' }],
];

export const realPhotographs = area('photographs', (check) => {
  for (const [name, type, resolution, { place, shown }] of photographs) {
    check('uploadImage', `§6.4 ${name} is accepted and returned bit for bit`, async (world) => {
      const bytes = await readPhoto(name);
      const image = await (await world.user()).upload({}, bytes);
      assert.deepEqual([image.image_resource_type, image.resolution], [type, resolution]);
      if (place) assert.deepEqual([image.lat, image.lng], place);
      assert.deepEqual(await bytesOf(image.org_path_url), bytes);
      const display = await bytesOf(image.path_url);
      if (shown) assert.equal((await sharp(display).metadata()).format, shown);
      else assert.deepEqual(display, bytes, 'small enough to be shown as it is');
    });
  }
});
