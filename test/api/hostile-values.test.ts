import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, describe, test } from 'node:test';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { client } = service;
const user = await service.user();
const as = ['User', user.token] as const;
const picture = filePart(await jpeg());

const { result: image } = await client.post<{ id: string }>(user.images, {
  as,
  form: { image_data: picture },
});
const customs = `${user.images}/${image.id}/customs`;

interface Custom {
  readonly key: string;
  readonly value: string;
}

async function post(path: string, type: string, body: string | Uint8Array, encoding?: string) {
  const response = await fetch(new URL(path, client.base), {
    method: 'POST',
    body: typeof body === 'string' ? body : Uint8Array.from(body),
    headers: {
      authorization: as.join(' '),
      'content-type': type,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  });
  const answer = (await response.json()) as {
    result: Custom;
    error?: { code: string; field?: string };
  };
  return { status: response.status, result: answer.result, ...answer.error };
}

describe('words that every object knows are no booleans', () => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
    test(word, async () => {
      for (const name of ['has_delete_at', 'has_det']) {
        const { status, error } = await client.get(user.images, { as, query: { [name]: word } });
        assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_field', name]);
      }
      const { status, error } = await client.put(`${user.images}/${image.id}`, {
        as,
        form: { is_signed: word },
      });
      assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_field', 'is_signed']);
    });
  }

  test('nor other choices', async () => {
    const query = { view_type: 'constructor' };
    const { status, error } = await client.get(user.images, { as, query });
    assert.deepEqual([status, error?.field], [400, 'view_type']);
  });
});

describe('names that every object knows are fields like any other', () => {
  const names = ['__proto__', 'constructor', 'prototype', '__proto__[key]', 'constructor[key]'];
  test('in a query', async () => {
    const query = Object.fromEntries(names.map((name) => [name, 'x']));
    assert.equal((await client.get(`${user.images}/count`, { as, query })).status, 200);
    const many = Array.from({ length: 1_500 }, () => 'a[]=1').join('&');
    const answer = await client.get(`${user.images}/count?${many}&a[b][c][d][e][f]=1`, { as });
    assert.equal(answer.status, 200);
  });

  test('in a JSON body they bring nothing with them', async () => {
    const body = '{"__proto__":{"key":"k","value":"v"},"constructor":{"prototype":{"key":"k"}}}';
    const { status, code, field } = await post(customs, 'application/json', body);
    assert.deepEqual([status, code, field], [400, 'missing_field', 'key']);
  });

  test('an error names the field of the interface', async () => {
    const body = { image_ids: { __proto__: null, x: 1 } };
    const { status, error } = await client.post(`${user.images}/share`, { as, json: body });
    assert.deepEqual([status, error?.field], [400, 'image_ids']);
  });
});

test('ids come as a repeated field, with brackets or without', async () => {
  for (const name of ['image_ids', 'image_ids[]']) {
    const ids = `${encodeURIComponent(name)}=${image.id}`;
    const { status } = await post(
      `${user.images}/share`,
      'application/x-www-form-urlencoded',
      `${ids}&${ids}`,
    );
    assert.equal(status, 200, name);
  }
});

describe('JSON', () => {
  const cases: [what: string, body: string | Uint8Array, status: number, field?: string][] = [
    ['nested 100,000 deep, in a field', `{"key":${'['.repeat(1e5)}${']'.repeat(1e5)},"value":""}`, 400, 'key'],
    ['nested 100,000 deep, where nobody looks', `{"key":"k","value":"v","x":${'[{"a":'.repeat(1e5)}1${'}]'.repeat(1e5)}}`, 200],
    ['cut off', '{"key":"k"', 400, 'body'],
    ['an array', '["key"]', 400, 'body'],
    ['nothing', 'null', 400, 'body'],
    ['with a byte order mark', '\ufeff{"key":"k","value":"v"}', 200],
    ['an object for a text', '{"key":{"toString":1},"value":"v"}', 400, 'key'],
    ['a number for a text', '{"key":1e400,"value":"v"}', 200],
  ]; // prettier-ignore
  for (const [what, body, status, field] of cases) {
    test(what, async () => {
      const answer = await post(customs, 'application/json', body);
      assert.deepEqual([answer.status, answer.field], [status, field]);
    });
  }

  test('of a key that comes twice the last one counts', async () => {
    const { result } = await post(customs, 'application/json', '{"key":"a","key":"b","value":"v"}');
    assert.equal(result.key, 'b');
  });
});

describe('text that is none', () => {
  const bad = '\ufffd';
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));

  test('a NUL is refused, by the name of the field', async () => {
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'key=k&value=a%00b'],
      ['application/json', '{"key":"k","value":"a\\u0000b"}'],
      ['multipart/form-data; boundary=b', multipart(bytes('a\0b'))],
    ] as const) {
      const { status, code, field } = await post(customs, type, body);
      assert.deepEqual([status, code, field], [400, 'invalid_field', 'value'], type);
    }
  });

  test('what is not UTF-8 becomes U+FFFD, however it is sent', async () => {
    const half = [0x61, 0xff, 0x62];
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'key=k&value=a%FFb'],
      ['application/json', bytes('{"key":"k","value":"', half, '"}')],
      ['application/json', '{"key":"k","value":"a\\ud800b"}'],
      ['multipart/form-data; boundary=b', multipart(bytes(half))],
    ] as const) {
      const { status, result } = await post(customs, type, body);
      assert.deepEqual([status, result.value], [200, `a${bad}b`], type);
    }
  });

  function multipart(value: Uint8Array): Buffer {
    const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
    return Buffer.concat([
      Buffer.from(`${head('key')}k\r\n${head('value')}`),
      value,
      Buffer.from('\r\n--b--\r\n'),
    ]);
  }
});

test('a compressed body is 415: what it grows to is never asked', async () => {
  const body = gzipSync('{"key":"k","value":"v"}');
  const { status, code } = await post(customs, 'application/json', body, 'gzip');
  assert.deepEqual([status, code], [415, 'unsupported_media_type']);
  const identity = await post(customs, 'application/json', '{"key":"k","value":"v"}', 'identity');
  assert.equal(identity.status, 200);
});

test('an urlencoded form may have 2,000 fields; one more is 413', async () => {
  const fields = 'x=1&'.repeat(1_998) + 'key=k&value=v';
  const type = 'application/x-www-form-urlencoded';
  assert.equal((await post(customs, type, fields)).status, 200);
  const { status, code } = await post(customs, type, `${fields}&y=1`);
  assert.deepEqual([status, code], [413, 'upload_too_large']);
});

test('a refresh token is not taken from the query', async () => {
  const path = '/api/v1/auth/refresh';
  const { refresh_token } = await service.service.tenants.tokens.issue({
    platformId: user.platformId,
  });
  const query = { refresh_token };
  const { status, error } = await client.post(path, { query });
  assert.deepEqual([status, error?.code, error?.field], [400, 'missing_field', 'refresh_token']);
  assert.equal((await client.post(path, { form: { refresh_token } })).status, 200);
});
