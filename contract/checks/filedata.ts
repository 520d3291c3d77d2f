import assert from 'node:assert/strict';
import { done, hasFields, megabytes, nobody, refused, timePattern } from '../../testkit/expect.js';
import { bytesOf, sha256 } from '../../testkit/fetch.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';
import { canvas, filePart } from '../../testkit/pictures.js';

export const filedata = area('filedata', (check) => {
  check(
    'addFiledata',
    'IF 28 returns the image whose filedatas includes the new one',
    async (world) => {
      const user = await world.user();
      const bytes = await canvas(70, 50).png().toBuffer();
      const upload = await user.upload();
      const image = await user.edit(upload, bytes);
      const [version, ...more] = image.filedatas ?? [];
      assert.ok(version && more.length === 0);
      assert.deepEqual(
        [version.original_image_id, version.hashdata, version.filesize_mb],
        [image.id, sha256(bytes), megabytes(bytes.length)],
      );
      assert.deepEqual([version.image_resource_type, version.resolution], ['png', '70x50']);
      assert.match(version.created_at, timePattern);
      hasFields(version, ['id', 'path_url']);
      assert.deepEqual(await bytesOf(version.path_url), bytes);
    },
  );

  check('addFiledata', '§6.10 the record follows the current version', async (world) => {
    const user = await world.user();
    const [first, second] = [await picture(), await canvas(90, 80).webp().toBuffer()];
    const place = { latitude: '1', longitude: '2' };
    const upload = await user.upload({ created_at: '20240101_000000', ...place }, first);
    const image = await user.edit(upload, second);
    assert.equal(image.filedata_total, 1);
    assert.ok(image.filename.endsWith(`_20240101_000000_${sha256(second)}_1.webp`), image.filename);
    assert.deepEqual(
      [image.resolution, image.image_resource_type, image.hashdata],
      ['90x80', 'webp', sha256(second)],
    );
    assert.equal(image.filesize_mb, megabytes(second.length));
    assert.equal(image.image_filesize_mb, megabytes(second.length));
    assert.deepEqual(await bytesOf(image.path_url), second);
    assert.deepEqual([image.lat, image.lng], [1, 2], 'the place stays that of the image');
    const read = await user.image(image.id);
    assert.deepEqual([read.filename, read.resolution], [image.filename, image.resolution]);
  });

  check('addFiledata', '§6.10 org_path_url remains that of the upload', async (world) => {
    const user = await world.user();
    const bytes = await picture();
    const image = await user.edit(await user.edit(await user.upload({}, bytes)));
    assert.deepEqual(await bytesOf(image.org_path_url), bytes);
  });

  check('addFiledata', '§6.10 returns the whole history, oldest first', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const edits = [await picture(), await picture(), await picture()];
    for (const edit of edits) await user.edit(image, edit);
    const read = await user.image(image.id, { with_history: 'True' });
    assert.equal(read.filedata_total, 3);
    const [latest] = read.filedatas?.slice(-1) ?? [];
    assert.deepEqual(await bytesOf(latest?.path_url ?? ''), await bytesOf(read.path_url));
    assert.deepEqual(
      read.filedatas?.map(({ hashdata }) => hashdata),
      edits.map(sha256),
    );
    assert.equal((await user.image(image.id)).filedatas, null);
  });

  check(
    'addFiledata',
    '§6.10 concurrent edits are all stored, each as its own version',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      const edits = await Promise.all(Array.from({ length: 4 }, () => user.edit(image)));
      const versions = edits.map(({ filename }) => /_(\d+)\.jpg$/.exec(filename)?.[1]).sort();
      const read = await user.image(image.id, { with_history: 'True' });
      assert.deepEqual([read.filedata_total, read.filedatas?.length], [4, 4]);
      assert.deepEqual(versions, ['1', '2', '3', '4']);
      assert.equal(read.filedatas?.at(-1)?.hashdata, read.hashdata);
    },
  );

  check(
    'addFiledata',
    '§6.10 an image in the trash accepts no edits until it is restored',
    async (world) => {
      const user = await world.user();
      const image = await user.trash(await user.upload());
      const form = { image_data: filePart(await picture()) };
      refused(await user.post(`/images/${image.id}/filedata`, form), 400, 'image_in_trash');
      done(await user.put(`/images/${image.id}`, { delete: 'False' }));
      done(await user.post(`/images/${image.id}/filedata`, form));
    },
  );

  check('addFiledata', '§6.10 has the same checks as an upload', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const path = `/images/${image.id}/filedata`;
    refused(await user.post(path), 400, 'missing_field', 'image_data');
    const large = await picture({ width: 640, height: 480 });
    for (const [bytes, code] of [
      [Buffer.from('not an image'), 'unsupported_image'],
      [large.subarray(0, large.length / 4), 'corrupt_image'],
    ] as const) {
      refused(await user.post(path, { image_data: filePart(bytes) }), 400, code);
    }
    const read = done(await user.get<Image>(`/images/${image.id}`));
    assert.deepEqual([read.filedata_total, read.filename], [0, image.filename]);
  });

  check('addFiledata', '§2.2 an unknown image, or one of another user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const form = { image_data: filePart(await picture()) };
    for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
      refused(await user.post(`/images/${id}/filedata`, form), 400, 'image_not_found');
    }
  });
});
