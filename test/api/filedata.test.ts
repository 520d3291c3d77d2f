import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { after, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRecord } from '../../src/images/schemas.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album } from '../../testkit/album.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { sha256 } from '../../testkit/fetch.js';

const service = await testService({ after });
const album = await Album.of(service);

const edit = (imageId: string, picture: Uint8Array, by = album) =>
  by.call<ImageRecord>('POST', `/${imageId}/filedata`, { form: { image_data: filePart(picture) } });
/** The stored object that an address stands for. */
const objectOf = (address: string) => new URL(address).pathname;

describe('edited versions', () => {
  test('the record follows the newest edit; the history is whole, oldest first', async () => {
    const upload = await album.upload({
      created_at: '20240229_120000',
      latitude: '1',
      longitude: '2',
    });
    const [first, second] = await Promise.all([
      jpeg({ width: 100, height: 50, place: { latitude: 8, longitude: 9 } }),
      jpeg({ width: 1600, height: 1200 }),
    ]);
    const { status } = await edit(upload.id, first);
    assert.equal(status, 200);
    const { result } = await edit(upload.id, second);
    assert.equal(result.filedata_total, 2);
    assert.deepEqual(
      result.filedatas?.map((data) => [data.resolution, data.hashdata, data.original_image_id]),
      [
        ['100x50', sha256(first), upload.id],
        ['1600x1200', sha256(second), upload.id],
      ],
    );
    assert.equal(result.resolution, '1600x1200');
    assert.equal(result.hashdata, sha256(second));
    assert.ok(result.filename.endsWith(`_20240229_120000_${sha256(second)}_2.jpg`));
    assert.equal(result.filesize_mb, result.filedatas?.[1]?.filesize_mb);
    assert.equal(result.image_filesize_mb, result.filesize_mb);
    assert.deepEqual([result.lat, result.lng], [1, 2], 'the place stays that of the image');
    assert.equal(objectOf(result.org_path_url), objectOf(upload.org_path_url));
    assert.notEqual(objectOf(result.path_url), objectOf(upload.path_url));
    assert.equal(objectOf(result.path_url), objectOf(result.filedatas?.[1]?.path_url ?? ''));
    const plain = await album.get(upload.id);
    assert.deepEqual([plain.filedatas, plain.filedata_total], [null, 2]);
  });

  test('edits that arrive at once are numbered one after the other', async () => {
    const { id } = await album.upload();
    const pictures = await Promise.all([1, 2, 3, 4].map((seed) => jpeg({ seed })));
    const answers = await Promise.all(pictures.map((picture) => edit(id, picture)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { result } = await album.call<ImageRecord>('GET', `/${id}?with_history=True`);
    assert.deepEqual(
      result.filedatas?.map(({ hashdata }) => hashdata).sort(),
      pictures.map(sha256).sort(),
    );
    assert.equal(result.filedatas?.at(-1)?.hashdata, result.hashdata);
  });

  test('refuses no file, no picture, and a damaged picture; the image stays as it was', async () => {
    const { id, filename } = await album.upload();
    const empty = await album.call('POST', `/${id}/filedata`, { form: { image: 'x' } });
    assert.deepEqual(
      [empty.status, empty.error?.code, empty.error?.field],
      [400, 'missing_field', 'image_data'],
    );
    const picture = await jpeg({ width: 640, height: 480 });
    for (const [bytes, code] of [
      [Buffer.from('no picture'), 'unsupported_image'],
      [picture.subarray(0, picture.length / 4), 'corrupt_image'],
    ] as const) {
      const { status, error } = await edit(id, bytes);
      assert.deepEqual([status, error?.code], [400, code]);
    }
    assert.equal((await album.get(id)).filename, filename);
  });

  test('an image in the trash takes no edits; restored it does', async () => {
    const { id } = await album.upload();
    await album.update(id, { delete: 'True' });
    const refused = await edit(id, await jpeg());
    assert.deepEqual([refused.status, refused.error?.code], [400, 'image_in_trash']);
    await album.update(id, { delete: 'False' });
    assert.equal((await edit(id, await jpeg())).status, 200);
  });

  test('an image that is trashed while its edit arrives refuses the edit', async () => {
    const { id } = await album.upload();
    const form = new FormData();
    form.append('image_data', filePart(await jpeg()), 'edit.jpg');
    const body = new Response(form);
    const sending = request(`${service.client.base}${album.user.images}/${id}/filedata`, {
      method: 'POST',
      headers: {
        authorization: `User ${album.user.token}`,
        'content-type': body.headers.get('content-type') ?? '',
        expect: '100-continue',
      },
    });
    sending.flushHeaders();
    // By now the server has found the image outside the trash, and waits for the file.
    await once(sending, 'continue');
    assert.equal((await album.update(id, { delete: 'True' })).status, 200);
    sending.end(Buffer.from(await body.arrayBuffer()));
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 400);
    assert.match(await text(answer), /"image_in_trash"/);
    assert.equal((await album.get(id)).filedata_total, 0);
  });

  test('the quota counts edits', async () => {
    const small = await Album.of(service);
    const { id, filesize_mb } = await small.upload();
    const picture = await jpeg();
    const room = Math.round(filesize_mb * 1024 * 1024) + picture.length;
    await service.db.query('UPDATE users SET max_storage_bytes = $1 WHERE id = $2', [
      room,
      small.user.id,
    ]);
    const answers = await Promise.all([1, 2, 3].map(() => edit(id, picture, small)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    const codes = answers.flatMap(({ error }) => (error ? [error.code] : []));
    assert.deepEqual(codes, ['storage_quota_exceeded', 'storage_quota_exceeded']);
  });

  test('another user’s image is unknown under one’s own path and forbidden under theirs', async () => {
    const other = await Album.of(service);
    const { id } = await album.upload();
    for (const imageId of [id, uuidv7(), 'no-uuid']) {
      const { status, error } = await edit(imageId, await jpeg(), other);
      assert.deepEqual([status, error?.code], [400, 'image_not_found']);
    }
    const { status } = await service.client.post(`${album.user.images}/${id}/filedata`, {
      as: ['User', other.user.token],
      form: { image_data: filePart(await jpeg()) },
    });
    assert.equal(status, 403);
  });

  test('all accounts agree in the end', () => assertAccounts(service));
});
