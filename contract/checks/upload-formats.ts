import assert from 'node:assert/strict';
import { refused } from '../../testkit/expect.js';
import { bytesOf } from '../../testkit/fetch.js';
import { area } from '../harness.js';
import { pngOfSize } from '../../testkit/bombs.js';
import { canvas } from '../../testkit/pictures.js';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

export const uploadFormats = area('upload: formats', (check) => {
  for (const [format, extension] of [
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['tiff', 'tif'],
    ['avif', 'avif'],
  ] as const) {
    check('uploadImage', `§6.4 accepts ${format}, recognized by its content`, async (world) => {
      const bytes = await canvas(40, 30).toFormat(format).toBuffer();
      const image = await (await world.user()).upload({}, bytes);
      assert.deepEqual([image.image_resource_type, image.resolution], [format, '40x30']);
      assert.ok(image.filename.endsWith(`_0.${extension}`), image.filename);
    });
  }

  for (const [what, bytes] of [
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['PDF', text('%PDF-1.7\n%%EOF')],
    ['text', text('not an image at all')],
    ['nothing', text('')],
  ] as const) {
    check('uploadImage', `§6.4 ${what} is unsupported_image`, async (world) => {
      const user = await world.user();
      refused(await user.tryUpload({}, bytes), 400, 'unsupported_image');
      assert.equal((await user.list()).total_count, 0);
    });
  }

  check('uploadImage', '§6.4 a damaged image is corrupt_image', async (world) => {
    const bytes = await canvas(800, 600).jpeg().toBuffer();
    const quarter = bytes.subarray(0, bytes.length / 4);
    refused(await (await world.user()).tryUpload({}, quarter), 400, 'corrupt_image');
  });

  check('uploadImage', '§6.4 a truncated image is is_incomplete', async (world) => {
    const user = await world.user();
    const bytes = await canvas(400, 1200).jpeg().toBuffer();
    assert.equal((await user.upload({}, bytes)).is_incomplete, false);
    assert.equal((await user.upload({}, bytes.subarray(0, -2))).is_incomplete, true);
    const cut = bytes.subarray(0, bytes.length * 0.8);
    const image = await user.upload({}, cut);
    assert.deepEqual([image.is_incomplete, image.resolution], [true, '400x1200']);
    assert.deepEqual(await bytesOf(image.org_path_url), cut);
    assert.equal((await user.image(image.id)).is_incomplete, true);
    const less = await user.tryUpload({}, bytes.subarray(0, bytes.length * 0.4));
    refused(less, 400, 'corrupt_image');
  });

  check('addFiledata', '§6.4 is_incomplete is reported for each version', async (world) => {
    const user = await world.user();
    const whole = await canvas(400, 1200).jpeg().toBuffer();
    const image = await user.upload({}, whole);
    const edit = async (bytes: Buffer) => {
      const { is_incomplete, filedatas } = await user.edit(image, bytes);
      return [is_incomplete, filedatas?.map((version) => version.is_incomplete)];
    };
    assert.deepEqual(await edit(whole.subarray(0, whole.length * 0.8)), [true, [true]]);
    assert.deepEqual(await edit(whole), [false, [true, false]]);
  });

  check('uploadImage', '§6.4 an image with too many pixels is image_too_large', async (world) => {
    const answer = await (await world.user()).tryUpload({}, pngOfSize(12_000, 10_000));
    refused(answer, 400, 'image_too_large');
  });
});
