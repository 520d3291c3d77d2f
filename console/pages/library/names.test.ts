import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadName, uploadName } from './download-name';
import type { Image } from './listing';

const image = (record: Partial<Image>): Image => record as Image;

test('a file of another version is named by the image, with the extension of its own format', () => {
  const one = image({ id: 'id', filename: 'user_hash_2.jpg', original_name: null });
  assert.equal(downloadName(one, 2, '/files/x/hash_2.png?sig=a.b'), 'user_hash_2.png');
  assert.equal(downloadName(one, 0, '/files/x/upload.heic'), 'user_id_0.heic');
  assert.equal(uploadName({ ...one, org_path_url: '/files/u.tiff' }), 'user_id_0.tiff');
  assert.equal(uploadName({ ...one, original_name: 'site.HEIC' }), 'site.HEIC');
});
