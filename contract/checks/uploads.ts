import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Image } from '../../testkit/records.js';
import { TusClient } from '../../testkit/tus.js';
import { picture, type Member, type World } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Upload {
  readonly id: string;
  readonly state: string;
  readonly offset: number;
  readonly length: number;
  readonly image?: Image;
}

const tusOf = (world: World, user: Member): TusClient => new TusClient(world.client.base, user);

const version = { 'tus-resumable': '1.0.0' };

/** Through the client that remembers which statuses each operation has answered. */
const raw = (user: Member, method: string, path: string, headers: Record<string, string> = {}) =>
  user.tenant.client.raw(method, `/api/v1/users/${user.id}${path}`, {
    as: ['User', user.token],
    headers: { ...version, ...headers },
  });

export const uploads = area('uploads that resume', (check) => {
  check('createUpload', 'X7.2 goes on where it broke off, and becomes an image', async (world) => {
    const user = await world.user();
    const tus = tusOf(world, user);
    const bytes = await picture();
    const folder = await user.folder('resumed');
    const upload = await tus.begin(bytes.length, { folder_id: folder.id, filename: 'a.jpg' });
    const id = upload.split('/').at(-1) ?? '';
    assert.equal((await tus.patch(upload, 0, bytes.subarray(0, 500))).status, 204);
    assert.equal(await tus.offset(upload), 500);
    const open = done(await user.get<Upload>(`/uploads/${id}`));
    assert.deepEqual(
      [open.id, open.state, open.offset, open.length],
      [id, 'receiving', 500, bytes.length],
    );
    const last = await tus.patch(upload, 500, bytes.subarray(500));
    const image = await user.image(String(last.headers['upload-image-id']));
    assert.deepEqual([image.folder_id, image.hashdata], [folder.id, sha256(bytes)]);
    const stored = done(await user.get<Upload>(`/uploads/${id}`));
    assert.deepEqual([stored.state, stored.image?.id], ['stored', image.id]);
  });

  check('describeUploads', 'X7.5 OPTIONS needs no token', async (world) => {
    for (const path of ['/uploads', `/uploads/${nobody}`]) {
      const answer = await world.client.raw('OPTIONS', `/api/v1/users/${nobody}${path}`);
      assert.deepEqual([answer.status, answer.headers.get('tus-version')], [204, '1.0.0']);
    }
  });

  check('appendToUpload', 'X7.5 wrong requests are refused, and take nothing', async (world) => {
    const user = await world.user();
    const length = { 'upload-length': '1000' };
    const begun = await raw(user, 'POST', '/uploads', length);
    assert.equal(begun.status, 201);
    const path = `/uploads/${begun.headers.get('location')?.split('/').at(-1)}`;
    const type = { 'content-type': 'application/offset+octet-stream' };
    const at = (offset: number) => ({ ...type, 'upload-offset': String(offset) });
    for (const [headers, status] of [
      [at(0), 204],
      [at(5), 409],
      [{ ...at(0), 'content-type': 'image/jpeg' }, 415],
      [{ ...at(0), 'tus-resumable': '0.2.2' }, 412],
      [type, 400],
    ] as const) {
      assert.equal((await raw(user, 'PATCH', path, headers)).status, status);
    }
    assert.equal((await raw(user, 'POST', '/uploads')).status, 400);
    const head = await raw(user, 'HEAD', path);
    assert.deepEqual([head.status, head.headers.get('upload-offset')], [200, '0']);
    assert.equal((await raw(user, 'DELETE', path)).status, 204);
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
      assert.equal((await raw(user, method, path, at(0))).status, 410, method);
      const unknown = await raw(user, method, `/uploads/${nobody}`, at(0));
      assert.equal(unknown.status, 404, method);
    }
    refused(await user.get(`/uploads/${nobody}`), 404, 'upload_not_found');
  });
});
