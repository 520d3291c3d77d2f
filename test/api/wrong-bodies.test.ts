import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer } from '../../testkit/client.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const album = await service.user();
const file = filePart(await jpeg());

describe('an upload without its file', () => {
  const refused = async (call: Parameters<Member['call']>[2]): Promise<string> => {
    const { status, error } = await album.call('POST', '/images', call);
    assert.deepEqual([status, error?.code, error?.field], [400, 'missing_field', 'image_data']);
    return error?.message ?? '';
  };

  test('names the part that contained the file', async () => {
    assert.equal(
      await refused({ form: { photo: file, address_road: 'x' } }),
      'image_data is required: the file came as "photo"; name its part image_data.',
    );
  });

  test('reports a part without a filename', async () => {
    const message = await refused({ form: { image_data: '/home/me/photo.jpg' } });
    assert.match(message, /^image_data is required: it came as text; send it as a file/);
  });

  test('says what to send if there is no part', async () => {
    const expected =
      'image_data is required: send multipart/form-data with the file in the part image_data.';
    assert.equal(await refused({}), expected);
    assert.equal(await refused({ urlencoded: { address_road: 'x' } }), expected);
  });
});

test('a file needs no file name if its type is not text; other fields may have one', async () => {
  const form = (headers: string, value: Uint8Array) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`),
      value,
      Buffer.from('\r\n'),
    ]);
  const body = Buffer.concat([
    form('name="address_road"; filename="blob"\r\nContent-Type: text/plain', Buffer.from('길')),
    form('name="image_data"\r\nContent-Type: image/jpeg', await jpeg()),
    Buffer.from('--b--'),
  ]);
  const answer = await fetch(`${service.client.base}${album.images}`, {
    method: 'POST',
    headers: {
      authorization: `User ${album.token}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body,
  });
  const { result } = (await answer.json()) as Answer<{ address_road: string }>;
  assert.deepEqual([answer.status, result.address_road], [200, '길']);
});

test('an invalid JSON body is answered with what was expected, and where', async () => {
  const answer = await fetch(`${service.client.base}/api/v1/users/${album.id}/folders`, {
    method: 'POST',
    headers: { authorization: `User ${album.token}`, 'content-type': 'application/json' },
    body: '{\n  "title": "x"\n  "parent_id": null\n}',
  });
  const { error } = (await answer.json()) as Answer<null>;
  assert.deepEqual([answer.status, error?.code, error?.field], [400, 'invalid_field', 'body']);
  assert.match(error?.message ?? '', /Expected ',' or '}' .+line 3 column 3\)\.$/);
});
