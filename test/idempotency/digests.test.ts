import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import { row } from '../../src/database/sql.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import { testService } from '../../testkit/service.js';
import { isReplayed, KeyedUser, seen, type KeyedCall } from './keyed-user.js';

const service = await testService();
const keyed = await KeyedUser.of(service);
const { user } = keyed;

let seed = 0;
const picture = (): Promise<Buffer> => jpeg({ width: 90, height: 60, seed: (seed += 1) });
const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${Buffer.from(sha256(bytes), 'hex').toString('base64')}:`;

/** What a request says besides: nothing, or that it waits to be asked for its body. */
const asking: readonly Record<string, string>[] = [{}, { Expect: '100-continue' }];

type Form = NonNullable<KeyedCall['form']>;
const send = (form: Form, key: string | null, headers: Record<string, string>, path = '/images') =>
  keyed.send<ImageRecord>({ method: 'POST', path, form, headers }, key);
const images = async (): Promise<number | undefined> =>
  (
    await row<{ n: number }>(
      service.db,
      'SELECT count(*)::int AS n FROM images WHERE user_id = $1',
      [user.id],
    )
  )?.n;

/** Text in fields, then a file of which nothing but its beginning is ever sent. */
const formOf = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(
      ([name, value]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('') +
  `--b\r\nContent-Disposition: form-data; name="image_data"; filename="a.jpg"\r\n\r\n${'x'.repeat(100)}`;

/** Sends a request of 25 MB, of which only `body` comes. @returns the answers until the server closes. */
async function begin(headers: Record<string, string>, body = '', path: string = user.images) {
  const socket = await dial(service.client.base);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const lines = Object.entries({
    Host: 'x',
    Authorization: `User ${user.token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(25 * 2 ** 20),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'), 'latin1');
  socket.once('end', () => socket.end());
  await closed(socket);
  const [answer, ...others] = answersIn(text);
  assert.deepEqual(others, []);
  assert.equal(answer?.headers.connection, 'close');
  const { result, error } = JSON.parse(answer.body) as {
    result: ImageRecord;
    error?: { code: string; field?: string };
  };
  const continued = text.includes('100 Continue');
  return { status: answer.status, headers: answer.headers, continued, result, ...error };
}

describe('a digest in a header', () => {
  test('that is malformed is refused by name, before the body', async () => {
    const right = digestOf(await picture());
    for (const header of ['Repr-Digest', 'Content-Digest']) {
      for (const value of [
        'x',
        right.slice(0, -1),
        right.replace('sha-256=', 'sha-256 ='),
        'sha-256=:AAAA:',
        `sha-256="${right.slice(9, -1)}"`,
        `sha-512=x, ${right}`,
        `${right},`,
        'SHA-256=:AAAA:',
        Array.from({ length: 21 }, () => right).join(),
      ]) {
        const { status, code, field } = await begin({ [header]: value });
        assert.deepEqual([status, code, field], [400, 'invalid_field', header], value);
      }
    }
  });

  test('that the file has is accepted, among others and in any header; another is refused', async () => {
    const [bytes, other] = [await picture(), await picture()];
    const image_data = filePart(bytes);
    const right = digestOf(bytes);
    for (const headers of <Record<string, string>[]>[
      { 'repr-digest': right },
      { 'content-digest': right },
      { 'repr-digest': `sha-512=:AAAA:, ${digestOf(other)}, ${right}`, 'content-digest': right },
      { 'repr-digest': 'md5=:AAAA:' },
      { 'repr-digest': right.replace(/=:$/, ':') },
    ]) {
      assert.equal((await send({ image_data }, null, headers)).status, 200);
    }
    const before = await images();
    for (const header of ['Repr-Digest', 'Content-Digest']) {
      const { status, error } = await send({ image_data }, null, { [header]: digestOf(other) });
      assert.deepEqual([status, error?.code, error?.field], [400, 'hash_mismatch', header]);
      assert.deepEqual(error?.details, { expected: sha256(other), actual: sha256(bytes) });
    }
    assert.equal(await images(), before);
  });

  test('Content-Digest may be that of the whole form, as RFC 9530 has it; Repr-Digest may not', async () => {
    const bytes = await picture();
    const head = '--b\r\nContent-Disposition: form-data; name="image_data"; filename="a"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\nepilogue')]);
    const statusWith = async (header: string, key?: string): Promise<number> => {
      const headers = {
        authorization: `User ${user.token}`,
        'content-type': 'multipart/form-data; boundary=b',
        [header]: digestOf(body),
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const url = new URL(user.images, service.client.base);
      return (await fetch(url, { method: 'POST', body, headers })).status;
    };
    assert.equal(await statusWith('repr-digest'), 400);
    assert.equal(await statusWith('content-digest', 'whole'), 200);
    const before = await images();
    assert.equal(await statusWith('content-digest', 'whole'), 200, 'the repeat is read');
    assert.equal(await images(), before);
  });
});

describe('a repeat whose headers name its file', () => {
  test('is answered before the body, whatever fields would follow', async () => {
    const bytes = await picture();
    const first = await send({ image_data: filePart(bytes), has_det: 'True' }, 'headers', {});
    const before = await images();
    for (const header of ['Repr-Digest', 'Content-Digest']) {
      for (const more of asking) {
        const headers = { 'Idempotency-Key': 'headers', [header]: digestOf(bytes), ...more };
        const { continued, ...answer } = await begin(headers);
        assert.equal(answer.headers['idempotency-replayed'], 'true');
        assert.deepEqual([answer.status, answer.result.id], [200, first.result.id]);
        assert.equal(continued, false);
      }
    }
    assert.equal(await images(), before);
    const whole = await send({ image_data: filePart(bytes), has_det: 'True' }, 'headers', {
      'repr-digest': digestOf(bytes),
    });
    assert.deepEqual(seen(whole), seen(first));
    assert.ok(isReplayed(whole));
  });

  test('of an edit is answered, too; the same key elsewhere is refused', async () => {
    const [bytes, edited] = [await picture(), await picture()];
    const first = await send({ image_data: filePart(bytes) }, 'edited', {});
    const path = `/images/${first.result.id}/filedata`;
    await send({ image_data: filePart(edited) }, 'edit', {}, path);
    const headers = { 'Idempotency-Key': 'edit', 'Repr-Digest': digestOf(edited) };
    const again = await begin(headers, '', `${user.images}/${first.result.id}/filedata`);
    assert.deepEqual([again.status, again.result.filedata_total], [200, 1]);
    const elsewhere = await begin(headers);
    assert.deepEqual([elsewhere.status, elsewhere.code], [422, 'idempotency_key_reused']);
    await keyed.send({ method: 'POST', path: '/folders', form: { title: 'x' } }, 'folder');
    const folder = await begin({ ...headers, 'Idempotency-Key': 'folder' });
    assert.deepEqual([folder.status, folder.code], [422, 'idempotency_key_reused']);
  });

  test('with another file is refused before the body by Repr-Digest and by image_hash', async () => {
    const [bytes, other] = [await picture(), await picture()];
    await send({ image_data: filePart(bytes) }, 'other', {});
    const key = { 'Idempotency-Key': 'other' };
    const byHeader = await begin({ ...key, 'Repr-Digest': digestOf(other) });
    const byField = await begin(key, formOf({ image_hash: sha256(other) }));
    for (const { status, code } of [byHeader, byField]) {
      assert.deepEqual([status, code], [422, 'idempotency_key_reused']);
    }
    const another = await KeyedUser.of(service);
    const foreign = await another.send(
      {
        method: 'POST',
        path: '/images',
        form: { image_data: filePart(other) },
        headers: { 'repr-digest': digestOf(other) },
      },
      'other',
    );
    assert.equal(foreign.status, 200, 'keys of other users are others');
  });

  test('is answered as soon as its fields have come, by header and fields or by fields alone', async () => {
    const bytes = await picture();
    const first = await send({ image_data: filePart(bytes), has_det: 'True' }, 'fields', {});
    const key = { 'Idempotency-Key': 'fields' };
    for (const more of asking) {
      const body = formOf({ image_hash: sha256(bytes), has_det: 'True' });
      const answer = await begin({ ...key, ...more }, body);
      assert.deepEqual([answer.status, answer.result.id], [200, first.result.id]);
      assert.equal(answer.continued, 'Expect' in more);
    }
  });
});

describe('an upload without a key', () => {
  test('into a set that does not expect its file is refused before the file', async () => {
    const [bytes, other] = [await picture(), await picture()];
    const { result: set } = await service.client.post<{ id: string }>(
      `/api/v1/users/${user.id}/upload-sets`,
      { as: ['User', user.token], json: { hashes: [sha256(bytes)] } },
    );
    const upload_set_id = set.id;
    const byField = await begin({}, formOf({ upload_set_id, image_hash: sha256(other) }));
    const byHeader = await begin({ 'Repr-Digest': digestOf(other) }, formOf({ upload_set_id }));
    for (const { status, code } of [byField, byHeader]) {
      assert.deepEqual([status, code], [400, 'not_expected']);
    }
    const image_data = filePart(bytes);
    const sent = await send({ upload_set_id, image_data }, null, {
      'repr-digest': digestOf(bytes),
    });
    assert.equal(sent.status, 200);
  });

  test('into a folder or set that is not there is refused before the file', async () => {
    const nowhere = '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b09';
    const folder = await begin({}, formOf({ folder_id: nowhere }));
    assert.deepEqual([folder.status, folder.code], [400, 'folder_not_found']);
    const set = await begin({}, formOf({ upload_set_id: nowhere, folder_id: '' }));
    assert.deepEqual([set.status, set.code], [400, 'upload_set_not_found']);
  });

  test('is not refused for what a later field may change', async () => {
    const image_data = filePart(await picture());
    const form = { is_shared: 'True', latitude: '37', image_data, longitude: '127', message: 'x' };
    assert.equal((await send(form, null, {})).status, 200);
  });
});
