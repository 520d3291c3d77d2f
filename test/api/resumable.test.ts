import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { rows, value } from '../../src/database/sql.js';
import { emptyTrash } from '../../src/library/tree/trash.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { done } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import { picture } from '../../testkit/world.js';
import { ownService } from '../../testkit/service.js';
import { metadataOf, TusClient, unknownUpload } from '../../testkit/tus.js';

const service = await ownService({ after });
const { db } = service;

const sender = async () => {
  const user = await service.user();
  return { user, tus: new TusClient(service.client.base, user) };
};

interface UploadRecord {
  readonly id: string;
  readonly state: string;
  readonly offset: number;
  readonly length: number;
  readonly expires_at: string;
  readonly image?: { readonly id: string; readonly folder_id: string | null };
  readonly error?: { readonly code: string };
}

/** Objects of pieces that are to be deleted. */
const reclaimed = (userId: string): Promise<unknown[]> =>
  rows(db, `SELECT key FROM object_reclaim WHERE key LIKE '%/' || $1 || '/%/piece.bin'`, [userId]);

const announced = (userId: string): Promise<number | undefined> =>
  value<number>(db, 'SELECT announced_bytes FROM users WHERE id = $1', [userId]);

describe('an upload that resumes', () => {
  test('is created, continued where it broke off, and becomes an image with its fields', async () => {
    const { user, tus } = await sender();
    const folder = await user.folder('field');
    const bytes = await picture();
    const upload = await tus.begin(bytes.length, {
      folder_id: folder.id,
      building_name: '시청',
      filename: '사진.jpg',
      latitude: '37.5',
      longitude: '127',
    });
    assert.equal(await announced(user.id), bytes.length);
    const first = await tus.patch(upload, 0, bytes.subarray(0, 500));
    assert.deepEqual([first.status, first.headers['upload-offset']], [204, '500']);
    assert.ok(new Date(String(first.headers['upload-expires'])).getTime() > Date.now());
    const head = await tus.head(upload);
    assert.deepEqual(
      [head.status, head.headers['upload-offset'], head.headers['upload-length']],
      [200, '500', String(bytes.length)],
    );
    assert.match(String(head.headers['upload-metadata']), /^folder_id /);
    const last = await tus.patch(upload, 500, bytes.subarray(500));
    assert.equal(last.status, 204);
    assert.equal(last.headers['upload-offset'], String(bytes.length));
    const image = await user.image(String(last.headers['upload-image-id']));
    assert.deepEqual(
      [image.folder_id, image.building_name, image.lat, image.hashdata],
      [folder.id, '시청', 37.5, sha256(bytes)],
    );
    const again = await tus.head(upload);
    assert.equal(again.headers['upload-image-id'], image.id);
    assert.equal(again.headers['upload-offset'], String(bytes.length));
    const record = done(await user.get<UploadRecord>(`/uploads/${upload.split('/').at(-1)}`));
    assert.deepEqual(
      [record.state, record.offset, record.image?.id],
      ['stored', bytes.length, image.id],
    );
    assert.equal(await announced(user.id), 0);
    await assertAccounts(service);
  });

  test('brings all bytes with its creation, and stores no piece', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const answer = await tus.send(
      'POST',
      '',
      { 'upload-length': String(bytes.length), 'content-type': 'application/offset+octet-stream' },
      bytes,
    );
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['upload-offset'], String(bytes.length));
    assert.equal(
      (await user.image(String(answer.headers['upload-image-id']))).hashdata,
      sha256(bytes),
    );
    assert.deepEqual(await reclaimed(user.id), []);
  });

  test('becomes a version of an image', async () => {
    const { user, tus } = await sender();
    const image = await user.upload();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length, { image_id: image.id, image_hash: sha256(bytes) });
    const last = await tus.patch(upload, 0, bytes);
    assert.deepEqual([last.status, last.headers['upload-image-id']], [204, image.id]);
    assert.equal((await user.image(image.id)).filedata_total, 1);
  });

  test('counts against the quota until it is finished or deleted', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(6 * 2 ** 20);
    await user.put('', { max_storage_mb: '10' });
    assert.equal((await tus.create(5 * 2 ** 20)).code, 'storage_quota_exceeded');
    const { used_storage_mb: used } = done(await user.get<{ used_storage_mb: number }>('/info'));
    assert.equal(used, 6);
    await tus.patch(upload, 0, bytes);
    const ended = await tus.send('DELETE', upload);
    assert.equal(ended.status, 204);
    assert.equal(await announced(user.id), 0);
    assert.equal((await tus.create(5 * 2 ** 20)).status, 201);
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
      const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
      assert.equal((await tus.send(method, upload, headers)).status, 410, method);
    }
    await assertAccounts(service);
  });

  test('is refused at the end as any upload, and then every request says why', async () => {
    const { user, tus } = await sender();
    const bytes = Buffer.from('no picture at all, but some text');
    const upload = await tus.begin(bytes.length, { filename: 'a.txt' });
    await tus.patch(upload, 0, bytes.subarray(0, 10));
    const last = await tus.patch(upload, 10, bytes.subarray(10));
    assert.deepEqual([last.status, last.code], [400, 'unsupported_image']);
    assert.equal(last.headers['tus-resumable'], '1.0.0');
    const head = await tus.head(upload);
    assert.deepEqual([head.status, head.headers['upload-offset']], [200, String(bytes.length - 1)]);
    const again = await tus.patch(upload, bytes.length - 1, bytes.subarray(-1));
    assert.deepEqual([again.status, again.code], [400, 'unsupported_image']);
    const record = done(await user.get<UploadRecord>(`/uploads/${upload.split('/').at(-1)}`));
    assert.deepEqual([record.state, record.error?.code], ['refused', 'unsupported_image']);
    assert.equal(await announced(user.id), 0);
    assert.equal((await reclaimed(user.id)).length, 1, 'its piece is deleted');
  });

  test('is begun anew once its image is gone, and not before', async () => {
    const { user, tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const { headers } = await tus.patch(upload, 0, bytes);
    const image = await user.image(String(headers['upload-image-id']));
    await user.trash(image);
    assert.equal((await tus.head(upload)).status, 200, 'it can be restored');
    const scope = { userId: user.id };
    await emptyTrash({ db, scope, actor: 'system', days: 0 });
    for (const method of ['HEAD', 'GET']) {
      assert.equal((await tus.send(method, upload)).status, 410, method);
    }
  });

  test('with a key is found again until it ends, and then made anew', async () => {
    const { tus } = await sender();
    const bytes = await picture();
    const key = { 'idempotency-key': 'one' };
    const failed = await tus.create(bytes.length, { folder_id: 'x' }, key);
    assert.equal(failed.code, 'folder_not_found', 'which leaves the key free');
    const first = await tus.create(bytes.length, { has_det: 'True' }, key);
    const { location = '' } = first.headers;
    const repeat = await tus.create(bytes.length, { has_det: 'true' }, key);
    assert.deepEqual([repeat.status, repeat.headers.location], [201, location]);
    assert.equal(repeat.headers['idempotency-replayed'], 'true');
    const other = await tus.create(bytes.length + 1, { has_det: 'True' }, key);
    assert.deepEqual([other.status, other.code], [422, 'idempotency_key_reused']);
    const stored = await tus.patch(location, 0, bytes);
    const later = await tus.create(bytes.length, { has_det: 'True' }, key);
    assert.equal(later.headers['upload-image-id'], stored.headers['upload-image-id']);
    await tus.send('DELETE', location);
    const anew = await tus.create(bytes.length, { has_det: 'True' }, key);
    assert.deepEqual([anew.status, anew.headers['idempotency-replayed']], [201, undefined]);
    const { location: fresh = '' } = anew.headers;
    assert.notEqual(fresh, location, 'the first one has ended');
    assert.equal((await tus.head(fresh)).headers['upload-offset'], '0');
    const again = await tus.create(bytes.length, { has_det: 'True' }, key);
    assert.equal(again.headers.location, fresh);
    const wrong = await tus.create(bytes.length + 1, { has_det: 'True' }, key);
    assert.equal(wrong.code, 'idempotency_key_reused');
  });
});

test('a user may have so many open uploads, and no more', async () => {
  const { user, tus } = await sender();
  const id = await tus.begin(10);
  await rows(
    db,
    `INSERT INTO resumable_uploads (id, platform_id, user_id, state, length, expires_at)
     SELECT gen_random_uuid(), platform_id, user_id, state, length, expires_at
     FROM resumable_uploads, generate_series(1, 999) WHERE id = $1`,
    [id.split('/').at(-1)],
  );
  const refused = await tus.create(10);
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_open_uploads']);
  assert.equal(await announced(user.id), 10_000);
  await tus.send('DELETE', id);
  assert.equal((await tus.create(10)).status, 201);
});

test('a file that lacks its hash is refused, and so is one that the quota no longer holds', async () => {
  const { user, tus } = await sender();
  const bytes = await picture();
  const other = await tus.begin(bytes.length, { image_hash: 'a'.repeat(64) });
  assert.equal((await tus.patch(other, 0, bytes)).code, 'hash_mismatch');
  const upload = await tus.begin(bytes.length);
  await user.put('', { max_storage_mb: '0.0001' });
  assert.equal((await tus.patch(upload, 0, bytes)).code, 'storage_quota_exceeded');
  assert.equal(await announced(user.id), 0);
  await assertAccounts(service);
});

describe('a request that is wrong', () => {
  test('is refused at creation for what is known by then', async () => {
    const { user, tus } = await sender();
    const folder = await user.folder('gone');
    await user.trashFolder(folder);
    const set = done(
      await user.call<{ id: string }>('POST', '/upload-sets', {
        json: { hashes: ['a'.repeat(64)] },
      }),
    );
    const image = await user.upload();
    await user.trash(image);
    const wrong: [Record<string, string>, number, string, string?][] = [
      [{ 'upload-length': '0' }, 400, 'invalid_field', 'Upload-Length'],
      [{}, 400, 'invalid_field', 'Upload-Length'],
      [{ 'upload-length': '1e3' }, 400, 'invalid_field', 'Upload-Length'],
      [{ 'upload-length': '-1' }, 400, 'invalid_field', 'Upload-Length'],
      [{ 'upload-defer-length': '1' }, 400, 'invalid_field', 'Upload-Length'],
      [{ 'upload-length': '5', 'upload-concat': 'partial' }, 400, 'invalid_field', 'Upload-Concat'],
      [{ 'upload-length': String(51 * 2 ** 20) }, 413, 'upload_too_large'],
      [{ 'upload-length': '5', 'tus-resumable': '0.2.2' }, 412, 'unsupported_version'],
      [
        { 'upload-length': '5', 'content-type': 'image/jpeg', 'content-length': '5' },
        415,
        'unsupported_media_type',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': 'a!b c' },
        400,
        'invalid_field',
        'Upload-Metadata',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': 'a YQ==,a YQ==' },
        400,
        'invalid_field',
        'Upload-Metadata',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': 'a YQ' },
        400,
        'invalid_field',
        'Upload-Metadata',
      ],
      [{ 'upload-length': '5', 'upload-metadata': ',' }, 400, 'invalid_field', 'Upload-Metadata'],
      [
        { 'upload-length': '5', 'upload-metadata': 'building_name /w==' },
        400,
        'invalid_field',
        'building_name',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ latitude: '91', longitude: '1' }) },
        400,
        'invalid_field',
        'latitude',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ folder_id: folder.id }) },
        400,
        'folder_in_trash',
        'folder_id',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ folder_id: 'x' }) },
        400,
        'folder_not_found',
        'folder_id',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ is_shared: 'True' }) },
        400,
        'missing_field',
        'message',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ upload_set_id: 'x' }) },
        400,
        'upload_set_not_found',
      ],
      [
        {
          'upload-length': '5',
          'upload-metadata': metadataOf({ upload_set_id: set.id, image_hash: 'b'.repeat(64) }),
        },
        400,
        'not_expected',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ image_id: 'x' }) },
        400,
        'image_not_found',
      ],
      [
        { 'upload-length': '5', 'upload-metadata': metadataOf({ image_id: image.id }) },
        400,
        'image_in_trash',
      ],
      [
        { 'upload-length': '5', 'upload-checksum': 'md5 YQ==' },
        400,
        'invalid_field',
        'Upload-Checksum',
      ],
      [{ 'upload-length': '5', 'idempotency-key': 'a b' }, 400, 'invalid_field', 'Idempotency-Key'],
    ];
    for (const [headers, status, code, field] of wrong) {
      const body = headers['content-length'] === undefined ? undefined : Buffer.alloc(5);
      const answer = await tus.send('POST', '', headers, body);
      assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(headers));
      if (field !== undefined) assert.equal(answer.field, field);
      assert.equal(answer.headers['tus-resumable'], '1.0.0');
      if (status === 412) assert.equal(answer.headers['tus-version'], '1.0.0');
    }
    assert.equal(await announced(user.id), 0);
  });

  test('of bytes takes nothing', async () => {
    const { tus } = await sender();
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    await tus.patch(upload, 0, bytes.subarray(0, 100));
    const rest = bytes.subarray(100);
    const checksum = (data: Uint8Array) =>
      `sha256 ${createHash('sha256').update(data).digest('base64')}`;
    const wrong: [number, Uint8Array, Record<string, string>, number, string][] = [
      [0, rest, {}, 409, 'wrong_offset'],
      [101, rest.subarray(1), {}, 409, 'wrong_offset'],
      [100, rest, { 'upload-offset': 'x' }, 400, 'invalid_field'],
      [100, rest, { 'content-type': 'application/octet-stream' }, 415, 'unsupported_media_type'],
      [100, rest, { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
      [100, rest, { 'tus-resumable': '2.0.0' }, 412, 'unsupported_version'],
      [100, Buffer.concat([rest, rest]), {}, 413, 'upload_too_large'],
      [100, rest, { 'upload-checksum': checksum(bytes) }, 460, 'checksum_mismatch'],
      [100, rest, { 'upload-checksum': 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=' }, 400, 'invalid_field'],
      [100, rest, { 'upload-checksum': 'sha256 !!' }, 400, 'invalid_field'],
    ];
    for (const [offset, body, headers, status, code] of wrong) {
      const answer = await tus.patch(upload, offset, body, headers);
      assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(headers));
      assert.equal(await tus.offset(upload), 100);
    }
    const chunked = tus.open('PATCH', upload, {
      'upload-offset': '100',
      'content-type': 'application/offset+octet-stream',
      'transfer-encoding': 'chunked',
    });
    chunked.request.write(rest);
    chunked.request.end(Buffer.alloc(50));
    assert.equal((await chunked.answer).status, 413);
    assert.equal(await tus.offset(upload), 100);
    const right = await tus.patch(upload, 100, rest, { 'upload-checksum': checksum(rest) });
    assert.equal(right.status, 204);
    assert.ok(right.headers['upload-image-id']);
    const repeated = await tus.patch(upload, bytes.length, Buffer.alloc(0));
    assert.equal(repeated.headers['upload-image-id'], right.headers['upload-image-id']);
    assert.equal((await tus.patch(upload, 100, rest)).status, 409);
  });

  test('for an unknown upload, or one of somebody else, is 404', async () => {
    const { tus } = await sender();
    const other = await sender();
    const upload = await tus.begin(100);
    const own = `/${upload.split('/').at(-1)}`;
    for (const [target, who] of [
      [own, other.tus],
      [unknownUpload(), tus],
      ['/no-uuid', tus],
    ] as const) {
      for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
        const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
        const answer = await who.send(method, target, headers);
        assert.equal(answer.status, 404, `${method} ${target}`);
        if (method !== 'HEAD') assert.equal(answer.code, 'upload_not_found');
      }
    }
    assert.equal((await other.tus.send('HEAD', upload)).status, 403);
    assert.equal((await tus.send('HEAD', upload, { authorization: 'User x' })).status, 401);
    assert.equal(await tus.offset(upload), 0);
  });
});

describe('the protocol', () => {
  test('is described without a token, and methods may be named in a header', async () => {
    const { tus } = await sender();
    for (const path of [tus.user.id, `${tus.user.id}/uploads/x`]) {
      const target = path.includes('/') ? `/api/v1/users/${path}` : '';
      const { status, headers } = await tus.send('OPTIONS', target, { authorization: '' });
      assert.equal(status, 204);
      assert.equal(headers['tus-version'], '1.0.0');
      assert.equal(
        headers['tus-extension'],
        'creation,creation-with-upload,expiration,termination,checksum',
      );
      assert.equal(headers['tus-checksum-algorithm'], 'sha256');
      assert.equal(headers['tus-max-size'], String(50 * 2 ** 20));
    }
    const bytes = await picture();
    const upload = await tus.begin(bytes.length);
    const override = (method: string) => ({ 'x-http-method-override': method });
    const type = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const patched = await tus.send('POST', upload, { ...type, ...override('PATCH') }, bytes);
    assert.equal(patched.status, 204);
    assert.equal(
      (await tus.send('POST', upload, override('HEAD'))).headers['upload-offset'],
      String(bytes.length),
    );
    assert.equal((await tus.send('POST', upload, override('DELETE'))).status, 204);
    assert.equal((await tus.send('POST', upload)).status, 405);
    assert.equal((await tus.send('POST', upload, override('PUT'))).status, 405);
  });

  test('refuses before the body where the client waits for it', async () => {
    const { tus } = await sender();
    const upload = await tus.begin(1000);
    const sent = tus.openPatch(upload, 5, 900, { expect: '100-continue' });
    let continued = false;
    sent.request.once('continue', () => (continued = true));
    const answer = await sent.answer;
    assert.deepEqual([answer.status, continued], [409, false]);
    assert.equal(answer.headers.connection, 'close');
    sent.request.destroy();
    const right = tus.openPatch(upload, 0, 10, { expect: '100-continue' });
    right.request.once('continue', () => right.request.end(Buffer.alloc(10)));
    assert.equal((await right.answer).headers['upload-offset'], '10');
  });
});
