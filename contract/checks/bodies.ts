import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { area } from '../harness.js';
import type { Custom } from '../../testkit/records.js';
import { postRaw } from './raw-body.js';

const form = (...parts: string[]) => `--b\r\n${parts.join('')}\r\n--b--\r\n`;
const part = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

const json = '{"title":"a"}';
const multipart = 'multipart/form-data; boundary=b';
const urlencoded = 'application/x-www-form-urlencoded';

export const bodies = area('bodies', (check) => {
  check(
    'createFolder',
    '§2 malformed JSON, or JSON that is not an object, is 400',
    async (world) => {
      const user = await world.user();
      for (const body of [
        '{',
        '{"title":',
        '{"title":"a"',
        '[]',
        '["title"]',
        '"text"',
        '7',
        'null',
      ]) {
        const { status, code, field } = await postRaw(user, '/folders', 'application/json', body);
        assert.deepEqual([status, code, field], [400, 'invalid_field', 'body'], body);
      }
    },
  );

  check('createFolder', '§2 JSON may have a charset and a byte order mark', async (world) => {
    const user = await world.user();
    const charset = 'application/json; charset=utf-8';
    assert.equal((await postRaw(user, '/folders', charset, json)).status, 200);
    const marked = '\ufeff{"title":"b"}';
    assert.equal((await postRaw(user, '/folders', 'application/json', marked)).status, 200);
  });

  for (const [what, body, status] of [
    ['nested 100,000 deep, in a field', `{"title":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 400],
    [
      'nested 100,000 deep, in an unknown field',
      `{"title":"a","x":${'[{"a":'.repeat(1e5)}1${'}]'.repeat(1e5)}}`,
      200,
    ],
    ['an object instead of text', '{"title":{"toString":1}}', 400],
    ['a number instead of text', '{"title":1e400}', 200],
    ['a duplicate key', '{"title":["a"],"title":"b"}', 200],
  ] as const) {
    check('createFolder', `§2 JSON: ${what} is ${status}`, async (world) => {
      const answer = await postRaw(await world.user(), '/folders', 'application/json', body);
      assert.equal(answer.status, status);
      if (status === 400) assert.deepEqual([answer.code, answer.field], ['invalid_field', 'title']);
    });
  }

  check('createFolder', '§2 malformed forms are 400', async (world) => {
    const user = await world.user();
    const cut = `--b\r\n${part('title', 'x')}`;
    const { status, code } = await postRaw(user, '/folders', multipart, cut);
    assert.deepEqual([status, code], [400, 'upload_interrupted']);
    const odd = await postRaw(user, '/folders', urlencoded, '%zz=%&&=&title=%');
    assert.ok([200, 400].includes(odd.status));
  });

  check(
    'createFolder',
    '§2 other media types are 415, and so is a form without boundary',
    async (world) => {
      const user = await world.user();
      for (const type of ['text/plain', 'application/xml', 'image/jpeg', 'multipart/form-data']) {
        const { status, code } = await postRaw(user, '/folders', type, 'title=a');
        assert.deepEqual([status, code], [415, 'unsupported_media_type'], type);
      }
      const none = await postRaw(user, '/folders', undefined, Buffer.from('x'));
      assert.equal(none.status, 415);
    },
  );

  check(
    'createFolder',
    '§2 a compressed body is 415, whatever its decompressed size',
    async (world) => {
      const user = await world.user();
      const send = (body: string | Uint8Array, encoding: string) =>
        postRaw(user, '/folders', 'application/json', body, encoding);
      const { status, code } = await send(gzipSync(json), 'gzip');
      assert.deepEqual([status, code], [415, 'unsupported_media_type']);
      assert.equal((await send(json, 'identity')).status, 200);
    },
  );

  check(
    'createFolder',
    '§2 more than 2 MB of fields is 413 in every type of body',
    async (world) => {
      const user = await world.user();
      const long = 'x'.repeat(2 * 1024 * 1024 + 1);
      for (const [type, body] of [
        [urlencoded, `title=${long}`],
        ['application/json', JSON.stringify({ title: long })],
        [multipart, form(part('a', long))],
      ] as const) {
        const { status, code } = await postRaw(user, '/folders', type, body);
        assert.deepEqual([status, code], [413, 'upload_too_large'], type);
      }
    },
  );

  check('createFolder', '§2 a urlencoded form may have up to 10,100 fields', async (world) => {
    const user = await world.user();
    const fields = `${'x=1&'.repeat(10_099)}title=a`;
    assert.equal((await postRaw(user, '/folders', urlencoded, fields)).status, 200);
    const { status, code } = await postRaw(user, '/folders', urlencoded, `${fields}&y=1`);
    assert.deepEqual([status, code], [413, 'upload_too_large']);
  });

  check(
    'createFolder',
    '§2 an empty body needs no type; a field given twice is 400',
    async (world) => {
      const user = await world.user();
      const { status, code } = await postRaw(user, '/folders', undefined, '');
      assert.deepEqual([status, code], [400, 'missing_field']);
      const twice = await user.post('/folders', { title: ['a', 'b'] });
      assert.deepEqual([twice.status, twice.error?.code], [400, 'invalid_field']);
    },
  );

  check('createFolder', '§2 a NUL is refused, and the error names the field', async (world) => {
    const user = await world.user();
    for (const [type, body] of [
      [urlencoded, 'title=a%00b'],
      ['application/json', '{"title":"a\\u0000b"}'],
      [multipart, form(part('title', 'a\0b'))],
    ] as const) {
      const { status, code, field } = await postRaw(user, '/folders', type, body);
      assert.deepEqual([status, code, field], [400, 'invalid_field', 'title'], type);
    }
  });

  check('createCustom', '§2 invalid UTF-8 becomes U+FFFD in every type of body', async (world) => {
    const user = await world.user();
    const path = `/images/${(await user.upload()).id}/customs`;
    const latin = (text: string) => Buffer.from(text, 'latin1'); // ÿ in Latin-1 is not valid UTF-8
    const fields = `${part('key', 'k')}\r\n--b\r\n${part('value', 'aÿb')}`;
    for (const [type, body] of [
      [urlencoded, 'key=k&value=a%FFb'],
      ['application/json', latin('{"key":"k","value":"aÿb"}')],
      ['application/json', '{"key":"k","value":"a\\ud800b"}'],
      [multipart, latin(form(fields))],
    ] as const) {
      const { status, result } = await postRaw(user, path, type, body);
      assert.deepEqual([status, (result as Custom).value], [200, 'a\ufffdb'], type);
    }
  });
});
