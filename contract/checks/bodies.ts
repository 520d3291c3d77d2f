import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { area } from '../harness.js';
import type { Folder } from '../../testkit/records.js';
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
    '§2.13 malformed JSON, or JSON that is not an object, is 400',
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

  check('createFolder', '§1.2 JSON may have a charset and a byte order mark', async (world) => {
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
    check('createFolder', `§2.13 JSON: ${what} is ${status}`, async (world) => {
      const answer = await postRaw(await world.user(), '/folders', 'application/json', body);
      assert.equal(answer.status, status);
      if (status === 400) assert.deepEqual([answer.code, answer.field], ['invalid_field', 'title']);
    });
  }

  check('createFolder', '§2.13 malformed forms are 400', async (world) => {
    const user = await world.user();
    const cut = `--b\r\n${part('title', 'x')}`;
    const { status, code } = await postRaw(user, '/folders', multipart, cut);
    assert.deepEqual([status, code], [400, 'upload_interrupted']);
    const odd = await postRaw(user, '/folders', urlencoded, '%zz=%&&=&title=%');
    assert.ok([200, 400].includes(odd.status));
  });

  check(
    'createFolder',
    '§2.8 other media types are 415, and so is a form without boundary',
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
    '§2.8 a compressed body is 415, whatever its decompressed size',
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
    '§2.7 more than 2 MB of fields is 413 in every type of body',
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

  check('createFolder', '§2.7 a urlencoded form may have up to 10,100 fields', async (world) => {
    const user = await world.user();
    const fields = `${'x=1&'.repeat(10_099)}title=a`;
    assert.equal((await postRaw(user, '/folders', urlencoded, fields)).status, 200);
    const { status, code } = await postRaw(user, '/folders', urlencoded, `${fields}&y=1`);
    assert.deepEqual([status, code], [413, 'upload_too_large']);
  });

  check(
    'createFolder',
    '§1.2 an empty body needs no type; a field given twice is 400',
    async (world) => {
      const user = await world.user();
      const { status, code } = await postRaw(user, '/folders', undefined, '');
      assert.deepEqual([status, code], [400, 'missing_field']);
      const twice = await user.post('/folders', { title: ['a', 'b'] });
      assert.deepEqual([twice.status, twice.error?.code], [400, 'invalid_field']);
    },
  );

  check('createFolder', '§2.13 a NUL is refused, and the error names the field', async (world) => {
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

  check('createCustom', '§1.2 bytes that are no UTF-8 are 400, with the field', async (world) => {
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
      const { status, code, field } = await postRaw(user, path, type, body);
      assert.deepEqual([status, code, field], [400, 'invalid_field', 'value'], type);
    }
    const query = await postRaw(user, `${path}?key=k&value=a%FFb`, undefined, '');
    assert.deepEqual([query.status, query.field], [400, 'value']);
  });

  const korean = Buffer.from('\xbb\xe7\xc1\xf8', 'latin1'); // 사진 in EUC-KR
  const escaped = '%BB%E7%C1%F8';
  const about = 'Content-Disposition: form-data; name="title"\r\n';
  const inParts = (headers: string, value: string | Buffer, before = '') =>
    Buffer.concat([
      Buffer.from(`${before}--b\r\n${headers}\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n--b--\r\n'),
    ]);
  const named = inParts(about, korean, `--b\r\n${part('_charset_', 'euc-kr')}\r\n`);
  for (const [what, type, body] of [
    [
      'the charset of its part',
      multipart,
      inParts(`${about}Content-Type: text/plain; charset=EUC-KR\r\n`, korean),
    ],
    [
      'the charset of a quoted parameter',
      multipart,
      inParts(`${about}content-type: text/plain;charset="cp949"\r\n`, korean),
    ],
    ['the charset named by _charset_', multipart, named],
    ['the charset of the body', `${urlencoded}; charset=euc-kr`, `title=${escaped}`],
    [
      'the charset of JSON',
      'application/json; charset=euc-kr',
      Buffer.concat([Buffer.from('{"title":"'), korean, Buffer.from('"}')]),
    ],
    [
      'UTF-8 under the name us-ascii',
      multipart,
      inParts(`${about}Content-Type: text/plain; charset=us-ascii\r\n`, '사진'),
    ],
    [
      'a part with a file name',
      multipart,
      inParts('Content-Disposition: form-data; name="title"; filename="title"\r\n', '사진'),
    ],
    [
      'a part of type application/octet-stream',
      multipart,
      inParts(`${about}Content-Type: application/octet-stream\r\n`, '사진'),
    ],
    [
      'a part with a transfer encoding that encodes nothing',
      multipart,
      inParts(`${about}Content-Transfer-Encoding: Binary\r\n`, '사진'),
    ],
    [
      'a part with folded headers',
      multipart,
      inParts('CONTENT-DISPOSITION: form-data;\r\n name=title\r\n', '사진'),
    ],
    [
      'a part after blanks behind the boundary',
      multipart,
      Buffer.from(`preamble\r\n--b \t\r\n${about}\r\n사진\r\n--b-- \r\nepilogue`),
    ],
    [
      'a quoted boundary',
      'multipart/form-data; charset=utf-8; boundary="b b"',
      Buffer.from(`--b b\r\n${about}\r\n사진\r\n--b b--`),
    ],
  ] as const) {
    check('createFolder', `§1.2 text comes as ${what}`, async (world) => {
      const { status, result } = await postRaw(await world.user(), '/folders', type, body);
      assert.deepEqual([status, (result as Folder | null)?.title], [200, '사진']);
    });
  }

  check(
    'createFolder',
    '§1.2 parts that are encoded or not in their charset are 400',
    async (world) => {
      const user = await world.user();
      for (const body of [
        inParts(`${about}Content-Transfer-Encoding: base64\r\n`, 'YQ=='),
        inParts(`${about}Content-Type: text/plain; charset=euc-kr\r\n`, Buffer.from([0xbb])),
        inParts(`${about}Content-Type: text/plain; charset=nothing\r\n`, 'a'),
      ]) {
        const { status, code, field } = await postRaw(user, '/folders', multipart, body);
        assert.deepEqual([status, code, field], [400, 'invalid_field', 'title'], String(body));
      }
    },
  );

  check('createFolder', '§1.2 unknown fields are ignored, whatever they contain', async (world) => {
    const user = await world.user();
    const file = 'Content-Disposition: form-data; name="x"; filename="\xff"\r\n\r\n\xff';
    const body = Buffer.from(form(`${file}\r\n--b\r\n${part('title', 'a')}`), 'latin1');
    assert.equal((await postRaw(user, '/folders', multipart, body)).status, 200);
    assert.equal((await postRaw(user, '/folders?x=%FF', urlencoded, 'x=%FF&title=b')).status, 200);
  });

  check('checkImages', '§1.2 lists may be named as PHP and qs do, in every type', async (world) => {
    const user = await world.user();
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    const path = '/images/check';
    for (const names of [
      ['hashes', 'hashes'],
      ['hashes[]', 'hashes[]'],
      ['hashes[0]', 'hashes[1]'],
    ] as const) {
      const encoded = `${encodeURIComponent(names[0])}=${a}&${names[1]}=${b}`;
      const parts = `${part(names[0], a)}\r\n--b\r\n${part(names[1], b)}`;
      for (const [type, body, query = ''] of [
        [urlencoded, encoded],
        [multipart, form(parts)],
        [undefined, '', `?${encoded}`],
      ] as const) {
        const { status, result } = await postRaw(user, path + query, type, body);
        const { missing } = result as { missing?: string[] };
        assert.deepEqual([status, missing], [200, [a, b]], `${names[0]} in ${type}`);
      }
    }
    const listed = await postRaw(
      user,
      path,
      'application/json',
      JSON.stringify({ 'hashes[]': [a] }),
    );
    assert.equal(listed.status, 200);
  });
});
