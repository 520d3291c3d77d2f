import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { eventually } from '../../testkit/eventually.js';
import type { Answer } from '../../testkit/client.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { closed, converse, dial, type WireAnswer } from '../../testkit/raw.js';
import { ownService, testService } from '../../testkit/service.js';

process.env.NODE_ENV = 'production'; // in which Express answers differently
const service = await testService();
const { client } = service;
const user = await service.user();
const { host } = new URL(client.base);

const only = async (text: string): Promise<WireAnswer> => {
  const answers = await converse(client.base, text);
  assert.equal(answers.length, 1, JSON.stringify(answers));
  return answers[0] as WireAnswer;
};

/** Verifies that a response is a failure in the complete envelope. */
function assertEnvelope({ status, headers, body }: WireAnswer, expected: [number, string]): void {
  const reported = JSON.parse(body) as Partial<Answer<unknown>>;
  assert.deepEqual([status, reported.error?.code], expected, body);
  assert.deepEqual([reported.status_code, reported.result], [status, null]);
  assert.match(headers['content-type'] ?? '', /^application\/json/);
  assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(body, /node_modules|\\n +at /);
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

describe('malformed requests are answered in the envelope', () => {
  const cases: [string, string, [number, string]][] = [
    ['characters that are not encoded', get('/서울', 'Host: x'), [400, 'malformed_request']],
    ['no HTTP at all', 'hello\r\n\r\n', [400, 'malformed_request']],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n', [400, 'malformed_request']],
    ['a header without a name', get('/livez', 'Host: x', ': y'), [400, 'malformed_request']],
    [
      'a length beside chunks',
      'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400, 'malformed_request'],
    ],
    [
      'headers of 100 KB',
      get('/livez', 'Host: x', `X-Long: ${'x'.repeat(100_000)}`),
      [431, 'headers_too_large'],
    ],
    ['a target of 100 KB', get(`/${'x'.repeat(100_000)}`, 'Host: x'), [431, 'headers_too_large']],
    [
      'chunk extensions of 100 KB',
      `POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
      [413, 'upload_too_large'],
    ],
    [
      'a chunk without a length',
      'POST /api/v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      [400, 'malformed_request'],
    ],
    [
      'a target that is no URL',
      'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
      [400, 'malformed_request'],
    ],
    [
      'CONNECT',
      'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
      [405, 'method_not_allowed'],
    ],
  ];
  for (const [what, text, expected] of cases) {
    test(`${what}: ${expected.join(' ')}`, async () => assertEnvelope(await only(text), expected));
  }

  test('after the answers to previous requests', async () => {
    const request = `GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answers = await converse(client.base, `${request.repeat(3)}nonsense\r\n\r\n`);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 400],
    );
  });
});

describe('requests that Node or Express would answer themselves are answered in the envelope', () => {
  const refresh = 'POST /api/v1/auth/refresh HTTP/1.1';
  const cases: [string, string, [number, string]][] = [
    [
      'an unknown expectation',
      get('/livez', 'Host: x', 'Expect: tea'),
      [417, 'expectation_failed'],
    ],
    ['a malformed path', get('/api/v1/users/%zz', 'Host: x'), [400, 'invalid_field']],
    ['TRACE', get('/livez', 'Host: x').replace('GET', 'TRACE'), [404, 'not_found']],
    ['OPTIONS *', get('*', 'Host: x').replace('GET', 'OPTIONS'), [404, 'not_found']],
    [
      'JSON that breaks off',
      `${refresh}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\nConnection: close\r\n\r\n{`,
      [400, 'invalid_field'],
    ],
    [
      'an unknown charset',
      `${refresh}\r\nHost: x\r\nContent-Type: application/json; charset=x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      [415, 'unsupported_media_type'],
    ],
  ];
  for (const [what, text, expected] of cases) {
    test(`${what}: ${expected.join(' ')}`, async () => assertEnvelope(await only(text), expected));
  }

  test('an upgrade is ignored: the request is answered as usual', async () => {
    const { status } = await only(
      get('/livez', 'Host: x', 'Upgrade: websocket').replace('close', 'Upgrade, close'),
    );
    assert.equal(status, 200);
  });

  test('a range outside the file: 416', async () => {
    const form = { image_data: filePart(await jpeg()) };
    const as = ['User', user.token] as const;
    const { result } = await client.post<{ org_path_url: string }>(user.images, { as, form });
    const { pathname, search } = new URL(result.org_path_url);
    const answer = await only(get(pathname + search, 'Host: x', 'Range: bytes=99999999-'));
    assertEnvelope(answer, [416, 'range_not_satisfiable']);
    assert.match(answer.headers['content-range'] ?? '', /^bytes \*\/\d+$/);
  });
});

describe('Host', () => {
  const bad: [string, ...string[]][] = [
    ['missing'],
    ['empty', 'Host:'],
    ['with a space', 'Host: a b'],
    ['with a path', 'Host: example.org/path'],
    ['with a name and password', 'Host: user:secret@example.org'],
    ['with a query', 'Host: example.org?x'],
    ['with a fragment', 'Host: example.org#x'],
    ['with an odd port', 'Host: example.org:port'],
    ['with quotes and angles', 'Host: "><script>'],
    ['with bytes beyond ASCII', 'Host: ex\xe4mple.org'],
    ['given twice', 'Host: a', 'Host: b'],
  ];
  for (const [what, ...lines] of bad) {
    test(`${what}: 400 in the envelope`, async () =>
      assertEnvelope(await only(get('/livez', ...lines)), [400, 'malformed_request']));
  }

  for (const name of ['example.org', 'my_app:8080', '127.0.0.1', '[::1]:80', 'a.b.']) {
    test(`${name} is accepted`, async () => {
      assert.equal((await only(get('/livez', `Host: ${name}`))).status, 200);
    });
  }

  /** Scheme and host of the URLs in a response. */
  const handedOut = async (...request: string[]): Promise<string> => {
    const lines = [...request, `Authorization: User ${user.token}`, 'Connection: close', '', ''];
    const { body } = await only(lines.join('\r\n'));
    const { result } = JSON.parse(body) as Answer<{ items: { org_path_url: string }[] }>;
    return new URL(result.items[0]?.org_path_url ?? '').origin;
  };

  test('URLs in responses are built from it; without one, as in HTTP/1.0, from the connection', async () => {
    const form = { image_data: filePart(await jpeg()) };
    await client.post(user.images, { as: ['User', user.token], form });
    assert.equal(
      await handedOut(`GET ${user.images} HTTP/1.1`, 'Host: images.example:81'),
      'http://images.example:81',
    );
    assert.equal(await handedOut(`GET ${user.images} HTTP/1.0`), `http://${host}`);
    assert.equal(
      await handedOut(`GET http://target.example${user.images} HTTP/1.1`, 'Host: other'),
      'http://target.example',
    );
  });
});

test('connections past the limit are closed at once; when others close, new ones are accepted', async () => {
  const small = await ownService({ after }, { 'limits.max_connections': '5' });
  const held = await Promise.all(Array.from({ length: 5 }, () => dial(small.client.base)));
  // A connection has been accepted once it is answered.
  for (const socket of held) {
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  const more = await Promise.all([1, 2, 3].map(() => dial(small.client.base)));
  for (const socket of more) socket.resume();
  await Promise.all(more.map(closed));
  for (const socket of held) socket.destroy();
  await eventually('new connections are accepted', async () =>
    small.client.raw('GET', '/livez').then(
      () => true,
      () => false,
    ),
  );
});

describe('behind a proxy', async () => {
  const settings = { trust_proxy: '1', keep_alive: '77s' };
  const proxied = await ownService({ after }, settings);
  const owner = await proxied.user();
  const image = await proxied.client.post<{ id: string }>(owner.images, {
    as: ['User', owner.token],
    form: { image_data: filePart(await jpeg()) },
  });

  const urls = async (at: typeof service, as: typeof owner, path: string, headers: object) => {
    const answer = await at.client.raw('GET', path, {
      as: ['User', as.token],
      headers: { 'x-forwarded-host': 'pictures.example', ...headers },
    });
    const text = await answer.text();
    return { status: answer.status, text, idle: answer.headers.get('keep-alive') };
  };

  test('URLs have the host, port, and prefix that it forwards', async () => {
    for (const [headers, base] of [
      [{ 'x-forwarded-proto': 'https' }, 'https://pictures.example'],
      [{ 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' }, 'https://pictures.example'],
      [{ 'x-forwarded-port': '8443, 80' }, 'http://pictures.example:8443'],
      [{ 'x-forwarded-port': '8443', 'x-forwarded-host': 'a.b:81' }, 'http://a.b:81'],
      [{ 'x-forwarded-prefix': '/img/v2/' }, 'http://pictures.example/img/v2'],
      [{ 'x-forwarded-prefix': '', 'x-forwarded-port': '' }, 'http://pictures.example'],
    ] as const) {
      const file = await urls(proxied, owner, `${owner.images}/${image.result.id}`, headers);
      assert.ok(file.text.includes(`"${base}/files/`), file.text);
      const map = await urls(proxied, owner, `/api/v1/users/${owner.id}/map/tilejson`, headers);
      assert.ok(map.text.includes(`"${base}/api/v1/users/`), map.text);
    }
  });

  test('the OpenAPI document is for the prefix that it forwards', async () => {
    const serversOf = async (at: typeof service, prefix: string): Promise<unknown> => {
      const answer = await at.client.raw('GET', '/openapi.json', {
        headers: { 'x-forwarded-prefix': prefix },
      });
      const { servers, paths } = (await answer.json()) as { servers: unknown; paths: object };
      assert.ok(Object.keys(paths).length > 0);
      return servers;
    };
    for (const [at, prefix, url] of [
      [proxied, '/img/v2/', '/img/v2'],
      [proxied, '/other, /inner', '/other'],
      [proxied, '', '/'],
      [service, '/img/v2', '/'],
    ] as const) {
      assert.deepEqual(await serversOf(at, prefix), [{ url }]);
    }
    const headers = { 'x-forwarded-prefix': '/img' };
    const { headers: first } = await proxied.client.raw('GET', '/openapi.json', { headers });
    const again = { ...headers, 'if-none-match': first.get('etag') ?? '' };
    const { status } = await proxied.client.raw('GET', '/openapi.json', { headers: again });
    assert.equal(status, 304);
  });

  test('a port or prefix that is none is refused; without a proxy it means nothing', async () => {
    for (const headers of [
      { 'x-forwarded-port': '80x' },
      { 'x-forwarded-prefix': '//evil.example' },
      { 'x-forwarded-prefix': '/a?b' },
      { 'x-forwarded-prefix': 'a' },
    ]) {
      const { status, text } = await urls(proxied, owner, owner.images, headers);
      assert.deepEqual([status, text.includes('malformed_request')], [400, true], text);
      const map = `/api/v1/users/${user.id}/map/tilejson`;
      const ignored = await urls(service, user, map, headers);
      assert.ok(ignored.text.includes(`"http://${host}/api/`), ignored.text);
    }
  });

  test('idle connections stay open for as long as is set', async () => {
    assert.equal((await urls(proxied, owner, owner.images, {})).idle, 'timeout=77');
  });
});
