import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, describe, test } from 'node:test';
import { testService } from '../../testkit/service.js';

const service = await testService({ after }, { 'cors.origins': 'https://app.example' });
const { client } = service;
const user = await service.user();
const platform = await service.platform();
const as = ['Platform', platform.token] as const;
const users = `/api/v1/platforms/${platform.id}/users`;

interface Failure {
  readonly status_code: number;
  readonly result: unknown;
  readonly error: { code: string; field?: string };
}

/** A body as it is, under any content type. */
async function post(body: string | Buffer, type: string | undefined, path = users) {
  const response = await fetch(new URL(path, client.base), {
    method: 'POST',
    body,
    headers: { authorization: as.join(' '), ...(type !== undefined && { 'content-type': type }) },
  });
  const answer = (await response.json()) as Failure;
  assert.equal(answer.status_code, response.status);
  return { status: response.status, code: answer.error?.code, field: answer.error?.field };
}

/** A path as it is, without the help of URL. */
const rawGet = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(client.base);
    const headers = { authorization: as.join(' ') };
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });

describe('addresses and methods', () => {
  test('an unknown address is 404 in the envelope', async () => {
    for (const path of ['/', '/api/v1', '/api/v1/nothing', `/api/v1/users/${user.id}/nothing`]) {
      const { status, error } = await client.get(path);
      assert.deepEqual([status, error?.code], [404, 'not_found'], path);
    }
  });

  const known: [string, string, string][] = [
    ['PUT', '/api/v1/platforms', 'POST, GET, HEAD'],
    ['POST', `/api/v1/platforms/${platform.id}/info`, 'GET, HEAD'],
    ['PATCH', `/api/v1/users/${user.id}/`, 'GET, PUT, DELETE, HEAD'],
    ['GET', '/api/v1/auth/refresh', 'POST'],
    // These would do as an /images/{image_id}, too.
    ['GET', `${user.images}/share`, 'POST'],
    ['PUT', `${user.images}/count`, 'GET, HEAD'],
    ['PUT', `${user.images}/group/`, 'GET, HEAD'],
  ];
  for (const [method, path, allow] of known) {
    test(`${method} ${path.replace(/[0-9a-f-]{36}/, ':id')} is 405 with Allow`, async () => {
      const { status, error, headers } = await client.request(method, path);
      assert.deepEqual([status, error?.code], [405, 'method_not_allowed']);
      const sorted = (list: string) => list.split(', ').sort();
      assert.deepEqual(sorted(headers.get('allow') ?? ''), sorted(allow));
    });
  }

  test('malformed percent-encoding is 400', async () => {
    for (const path of [`${users}/%zz`, `${users}/%`, `${users}/%ff`, `/api/v1/users/%c0%80`]) {
      assert.equal(await rawGet(path), 400, path);
    }
    assert.ok((await rawGet(`${users}?platform_user_id=%zz`)) < 500);
  });

  test('NUL in a path or a query is 400', async () => {
    assert.equal(await rawGet(`${users}/%00`), 400);
    assert.equal(await rawGet(`${users}?platform_user_id=a%00b`), 400);
  });
});

describe('bodies', () => {
  test('malformed JSON, and JSON that is no object, are 400', async () => {
    for (const body of ['{', '{"platform_user_id":', '[]', '"text"', '7', 'null', 'x']) {
      assert.equal((await post(body, 'application/json')).status, 400, body);
    }
  });

  test('JSON may say its charset; a name of the prototype is a field like any other', async () => {
    const json = '{"platform_user_id":"charset"}';
    assert.equal((await post(json, 'application/json; charset=utf-8')).status, 200);
    const { status, code } = await post(
      '{"__proto__":{"platform_user_id":"x"}}',
      'application/json',
    );
    assert.deepEqual([status, code], [400, 'missing_field']);
  });

  test('malformed forms are 400', async () => {
    const cut = '--b\r\nContent-Disposition: form-data; name="platform_user_id"\r\n\r\nx';
    const { status, code } = await post(cut, 'multipart/form-data; boundary=b');
    assert.deepEqual([status, code], [400, 'upload_interrupted']);
    const odd = await post('%zz=%&&=&platform_user_id=%', 'application/x-www-form-urlencoded');
    assert.ok([200, 400].includes(odd.status));
  });

  test('other media types are 415, also a form without its boundary', async () => {
    for (const type of ['text/plain', 'application/xml', 'image/jpeg', 'multipart/form-data']) {
      const { status, code } = await post('platform_user_id=x', type);
      assert.deepEqual([status, code], [415, 'unsupported_media_type'], type);
    }
    const { status } = await post(Buffer.from('x'), undefined);
    assert.equal(status, 415);
  });

  test('of more than a megabyte of fields are 413, in every kind', async () => {
    const long = 'x'.repeat(1024 * 1024 + 1);
    const form = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${long}\r\n--b--\r\n`;
    const bodies: [string, string][] = [
      [`platform_user_id=${long}`, 'application/x-www-form-urlencoded'],
      [JSON.stringify({ platform_user_id: long }), 'application/json'],
      [form, 'multipart/form-data; boundary=b'],
    ];
    for (const [body, type] of bodies) {
      const { status, code } = await post(body, type);
      assert.deepEqual([status, code], [413, 'upload_too_large'], type);
    }
  });

  test('an empty one needs no content type', async () => {
    const { status, error } = await client.post(users, { as });
    assert.deepEqual([status, error?.code], [400, 'missing_field']);
  });

  test('a field given twice is 400; unknown fields and parameters are ignored', async () => {
    const twice = await client.post(users, { as, form: { platform_user_id: ['a', 'b'] } });
    assert.deepEqual([twice.status, twice.error?.code], [400, 'invalid_field']);
    const more = await client.post(users, {
      as,
      query: { colour: 'red' },
      json: { platform_user_id: 'with more', colour: 'blue' },
    });
    assert.equal(more.status, 200);
  });
});

describe('X-Request-Id', () => {
  test('is echoed when it is sensible, and made otherwise', async () => {
    const idFor = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return (await client.raw('GET', '/livez', { headers })).headers.get('x-request-id') ?? '';
    };
    assert.equal(await idFor('trace-1:a.b_c'), 'trace-1:a.b_c');
    for (const given of [undefined, 'with space', 'x'.repeat(129)]) {
      assert.match(await idFor(given), /^[0-9a-f-]{36}$/);
    }
  });

  test('comes with failures, too', async () => {
    const { headers } = await client.get('/nothing', { headers: { 'x-request-id': 'mine' } });
    assert.equal(headers.get('x-request-id'), 'mine');
  });
});

describe('CORS', () => {
  const preflight = (origin: string, base = client) =>
    base.raw('OPTIONS', `/api/v1/users/${user.id}`, {
      headers: { origin, 'access-control-request-method': 'PUT' },
    });

  test('lets a configured origin in, failures included', async () => {
    const answer = await preflight('https://app.example');
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /PUT/);
    assert.match(answer.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    const refused = await client.raw('GET', `/api/v1/users/${user.id}`, {
      headers: { origin: 'https://app.example' },
    });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(refused.headers.get('vary') ?? '', /origin/i);
  });

  test('says nothing to other origins', async () => {
    const answer = await preflight('https://evil.example');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.notEqual(answer.status, 204);
  });

  test('is off by default', async () => {
    const plain = await testService({ after });
    const answer = await preflight('https://app.example', plain.client);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    const { headers } = await plain.client.raw('GET', '/livez', {
      headers: { origin: 'https://app.example' },
    });
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});
