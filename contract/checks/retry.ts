import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import { bytesOf, sha256 } from '../../testkit/fetch.js';
import type { Call } from '../../testkit/client.js';
import { filePart } from '../../testkit/pictures.js';
import type { Folder, Image } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';
import { area } from '../harness.js';

export const retry = area('retry', (check) => {
  check(
    'uploadImage',
    'X1.5 image_hash is the SHA-256 of the file, in either case',
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
    'X1.5 a file that does not match image_hash is hash_mismatch, and not stored',
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

  check('uploadImage', 'X1.5 a malformed image_hash is refused', async (world) => {
    const user = await world.user();
    const hash = sha256(await picture());
    for (const wrong of ['', ' ', `${hash}0`, hash.slice(1), `x${hash.slice(1)}`, nobody]) {
      refused(await user.tryUpload({ image_hash: wrong }), 400, 'invalid_field', 'image_hash');
    }
  });

  const folder = (key: string, title: string, more: Call = {}): Call => ({
    form: { title },
    ...more,
    headers: { 'Idempotency-Key': key },
  });

  check(
    'createFolder',
    'X1.2 a repeat with the same key returns the first answer, marked as a replay',
    async (world) => {
      const user = await world.user();
      const first = await user.call<Folder>('POST', '/folders', folder('a', 'x'));
      assert.equal(first.headers.get('idempotency-replayed'), null);
      for (const call of [
        folder('a', 'x'),
        folder('a', '', { json: { title: 'x', unknown: 1 } }),
      ]) {
        const repeat = await user.call<Folder>('POST', '/folders/', call);
        assert.deepEqual(done(repeat), done(first));
        assert.equal(repeat.headers.get('idempotency-replayed'), 'true');
      }
      assert.equal(done(await user.get<Folder[]>('/folders')).length, 1);
    },
  );

  check(
    'createFolder',
    'X1.3 a key reused for another request is idempotency_key_reused',
    async (world) => {
      const user = await world.user();
      const { id } = done(await user.call<Folder>('POST', '/folders', folder('a', 'x')));
      const reused = [422, 'idempotency_key_reused'] as const;
      refused(await user.call('POST', '/folders', folder('a', 'y')), ...reused);
      refused(await user.call('PUT', `/folders/${id}`, folder('a', 'x')), ...reused);
      refused(await user.call('DELETE', `/folders/${id}`, folder('a', 'x')), ...reused);
      assert.equal((await user.findFolder(id))?.title, 'x');
    },
  );

  check('createFolder', 'X1.2 a failed request does not use up its key', async (world) => {
    const user = await world.user();
    refused(await user.call('POST', '/folders', folder('a', '/')), 400, 'invalid_field', 'title');
    const twice = { title: 'x', parent_id: nobody };
    refused(
      await user.call('POST', '/folders', folder('a', '', { form: twice })),
      400,
      'folder_not_found',
    );
    const { headers } = await user.call('POST', '/folders', folder('a', 'x'));
    assert.equal(headers.get('idempotency-replayed'), null);
    assert.equal(done(await user.get<Folder[]>('/folders')).length, 1);
  });

  check(
    'createFolder',
    'X1.1 a malformed key is refused; keys belong to one user',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      for (const key of ['', 'a b', 'x'.repeat(256), 'caf\u00e9']) {
        const answer = await user.call('POST', '/folders', folder(key, 'x'));
        refused(answer, 400, 'invalid_field', 'Idempotency-Key');
      }
      const longest = folder('x'.repeat(255), 'x');
      const ids = [
        done(await user.call<Folder>('POST', '/folders', longest)).id,
        done(await other.call<Folder>('POST', '/folders', longest)).id,
      ];
      assert.notEqual(ids[0], ids[1]);
    },
  );

  check('createUser', 'X1.1 operations that issue tokens ignore keys', async (world) => {
    const tenant = await world.platform();
    const headers = { 'Idempotency-Key': 'a b' };
    for (const platform_user_id of ['one', 'two']) {
      done(await tenant.call('POST', '/users', { form: { platform_user_id }, headers }));
    }
  });

  check(
    'uploadImage',
    'X1.2 the same upload, concurrently and later, is one image',
    async (world) => {
      const user = await world.user();
      const bytes = await picture();
      const form = { image_hash: sha256(bytes), image_data: filePart(bytes) };
      const send = () =>
        user.call<Image>('POST', '/images', { form, headers: { 'Idempotency-Key': 'a' } });
      const answers = await Promise.all([send(), send(), send(), send()]);
      for (const answer of answers) {
        if (answer.status !== 200) refused(answer, 409, 'request_in_progress');
        if (answer.status === 409) assert.equal(answer.headers.get('retry-after'), '1');
      }
      const { id, path_url: url } = done(await send());
      for (const { status, result } of answers) if (status === 200) assert.equal(result.id, id);
      assert.equal(done(await user.get<{ count: number }>('/images/count')).count, 1);
      assert.ok((await bytesOf(url)).length > 0);
    },
  );

  check('uploadImage', 'X1.3 a known key with another file is refused', async (world) => {
    const user = await world.user();
    const headers = { 'Idempotency-Key': 'a' };
    const send = async () =>
      user.call('POST', '/images', { form: { image_data: filePart(await picture()) }, headers });
    done(await send());
    refused(await send(), 422, 'idempotency_key_reused');
    assert.equal(done(await user.get<{ count: number }>('/images/count')).count, 1);
  });
});
