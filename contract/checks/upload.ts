import assert from 'node:assert/strict';
import { hasFields, megabytes, refused, uuidV7 } from '../../testkit/expect.js';
import { bytesOf, sha256 } from '../../testkit/fetch.js';
import { area } from '../harness.js';
import { picture } from '../../testkit/world.js';
import { addressFields } from '../../testkit/records.js';

export const upload = area('upload', (check) => {
  check('uploadImage', '§6.2 returns the whole image record', async (world) => {
    const user = await world.user();
    const bytes = await picture({ width: 80, height: 60 });
    const image = await user.upload({}, bytes);
    assert.match(image.id, uuidV7);
    assert.deepEqual([image.user_id, image.folder_id, image.delete_at], [user.id, null, null]);
    assert.deepEqual([image.filedata_total, image.filedatas], [0, []]);
    assert.deepEqual([image.is_shared, image.is_signed, image.has_det], [false, false, null]);
    assert.deepEqual([image.image_resource_type, image.resolution], ['jpeg', '80x60']);
    assert.deepEqual(
      [image.filesize_mb, image.image_filesize_mb],
      [megabytes(bytes.length), megabytes(bytes.length)],
    );
    hasFields(image, [
      ...addressFields,
      'lat',
      'lng',
      'memos',
      'customs',
      'thumb_url',
      'thumbhash',
    ]);
    assert.deepEqual(
      addressFields.map((name) => image[name]),
      addressFields.map(() => null),
    );
  });

  check(
    'uploadImage',
    'IF Image filename: server time, created_at, hash, version, type',
    async (world) => {
      const bytes = await picture();
      const fields = { created_at: '20240229_235958' };
      const image = await (await world.user()).upload(fields, bytes);
      const hash = sha256(bytes);
      const pattern = new RegExp(`^\\d{8}_\\d{6}_\\d{3}_20240229_235958_${hash}_0\\.jpg$`);
      assert.match(image.filename, pattern);
      assert.deepEqual([image.hashdata, image.created_at], [hash, '20240229_235958']);
    },
  );

  check('uploadImage', '§6.7 org_path_url returns the bytes bit for bit', async (world) => {
    const bytes = await picture({ width: 1500, height: 1100 });
    const image = await (await world.user()).upload({}, bytes);
    assert.deepEqual(await bytesOf(image.org_path_url), bytes);
  });

  check('uploadImage', '§6.1 image_data is required', async (world) => {
    const user = await world.user();
    const fields = { has_det: 'True' };
    for (const call of [{ form: fields }, { urlencoded: fields }, { json: fields }, {}]) {
      refused(await user.call('POST', '/images', call), 400, 'missing_field', 'image_data');
    }
  });

  check('uploadImage', '§2.13 a truncated form is rejected', async (world) => {
    const user = await world.user();
    const url = new URL(`/api/v1/users/${user.id}/images`, world.client.base);
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `User ${user.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: '--b\r\ncontent-disposition: form-data; name="image_data"; filename="a"\r\n\r\nxx',
    });
    assert.equal(answer.status, 400);
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.equal(error.code, 'upload_interrupted');
  });
});
