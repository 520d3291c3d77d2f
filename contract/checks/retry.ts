import assert from 'node:assert/strict';
import { nobody, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';
import { area } from '../harness.js';

export const retry = area('retry', (check) => {
  check(
    'uploadImage',
    'X1 image_hash is the SHA-256 of the file, in either case',
    async (world) => {
      const user = await world.user();
      const bytes = await picture();
      const hash = sha256(bytes);
      const { hashdata, id } = await user.upload({ image_hash: hash.toUpperCase() }, bytes);
      assert.equal(hashdata, hash);
      const edit = await picture();
      const form = { image_hash: sha256(edit), image_data: filePart(edit) };
      const { status, result } = await user.post<Image>(`/images/${id}/filedata`, form);
      assert.deepEqual([status, result.hashdata], [200, sha256(edit)]);
    },
  );

  check(
    'addFiledata',
    'X1 other bytes than image_hash are hash_mismatch, and not stored',
    async (world) => {
      const user = await world.user();
      const { id } = await user.upload();
      const other = sha256(await picture());
      for (const path of ['/images', `/images/${id}/filedata`]) {
        const image_data = filePart(await picture());
        for (const form of [
          { image_hash: other, image_data },
          { image_data, image_hash: other },
        ]) {
          refused(await user.post(path, form), 400, 'hash_mismatch', 'image_hash');
        }
      }
      const { result } = await user.get<{ image_count: number }>('/info');
      assert.equal(result.image_count, 1);
      assert.equal((await user.image(id)).filedata_total, 0);
    },
  );

  check('uploadImage', 'X1 a malformed image_hash is refused', async (world) => {
    const user = await world.user();
    const hash = sha256(await picture());
    for (const wrong of ['', ' ', `${hash}0`, hash.slice(1), `x${hash.slice(1)}`, nobody]) {
      refused(await user.tryUpload({ image_hash: wrong }), 400, 'invalid_field', 'image_hash');
    }
  });
});
