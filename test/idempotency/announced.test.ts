import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '../../testkit/fetch.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { KeyedUser, type KeyedCall } from './keyed-user.js';

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
  keyed.send<Image>({ method: 'POST', path, form, headers }, key);
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
    result: Image;
    error?: { code: string; field?: string };
  };
  const continued = text.includes('100 Continue');
  return { status: answer.status, headers: answer.headers, continued, result, ...error };
}

test('digest headers (RFC 9530) stand for nothing: they are ignored, whatever they say', async () => {
  const [bytes, other] = [await picture(), await picture()];
  const image_data = filePart(bytes);
  for (const header of ['Repr-Digest', 'Content-Digest']) {
    for (const value of ['x', digestOf(other)]) {
      assert.equal((await send({ image_data }, null, { [header]: value })).status, 200);
    }
    const key = `ignored ${header}`.replace(' ', '-');
    const first = await send({ image_data }, key, { [header]: digestOf(bytes) });
    const changed = { image_data, has_det: 'True' };
    const another = await send(changed, key, { [header]: digestOf(bytes) });
    assert.deepEqual([first.status, another.status], [200, 422], 'its fields are compared');
  }
});

describe('a repeat that names its file', () => {
  test('with another file is refused before it', async () => {
    const [bytes, other] = [await picture(), await picture()];
    await send({ image_data: filePart(bytes) }, 'other', {});
    const { status, code } = await begin(
      { 'Idempotency-Key': 'other' },
      formOf({ image_hash: sha256(other) }),
    );
    assert.deepEqual([status, code], [422, 'idempotency_key_reused']);
  });

  test('is answered as soon as its fields have come', async () => {
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
    const refused = await begin({}, formOf({ upload_set_id, image_hash: sha256(other) }));
    assert.deepEqual([refused.status, refused.code], [400, 'not_expected']);
    const image_data = filePart(bytes);
    assert.equal((await send({ upload_set_id, image_data }, null, {})).status, 200);
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
