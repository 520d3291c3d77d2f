import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { askWire, steadyHeaders as steady, type Asked } from '../../testkit/store/ask-wire.js';
import { serveFiles, type FileServer } from '../../testkit/store/file-server.js';
import { putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore } from '../../testkit/store/local-harness.js';
import type { RequestEntry } from '../base/telemetry/request-lines.js';
import { requestHeaderNames } from './tus.js';

const key = 'platform/user/image/version/original.jpg';
const origin = 'https://app.example';
const body = 'x'.repeat(1000);

const logged: RequestEntry[] = [];
const logRequest = (entry: RequestEntry): void => void logged.push(entry);

const harness = await makeLocalStore();
await putBytes(harness, body, key);
const signedUrl = harness.store.sign(key);
const query = signedUrl.slice(signedUrl.indexOf('?'));
/** Nobody in front, no origins. */
const open = await serveFiles(harness.store, harness.signer, undefined, { logRequest });
/** One proxy in front, one origin. */
const proxied = await serveFiles(harness.store, harness.signer, undefined, {
  logRequest,
  trustProxy: 1,
  cors: { origins: [origin], headers: ['X-App'] },
});
after(async () => {
  await open.close();
  await proxied.close();
  await harness.cleanup();
});

/** Asks for the file unless another path is given. */
const ask = (server: FileServer, asked: Asked) =>
  askWire(server.base, { path: signedUrl, ...asked });

const always = {
  date: 'true',
  connection: 'close',
  'x-request-id': 'UUID',
  'x-content-type-options': 'nosniff',
};
const cached = {
  ...always,
  etag: `"${key}"`,
  'last-modified': 'true',
  'cache-control': 'private, max-age=N, immutable',
};
const content = {
  ...cached,
  'content-type': 'image/jpeg',
  'accept-ranges': 'bytes',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};
const whole = { ...content, 'content-length': '1000' };
const failure = {
  ...always,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};
const vary = { vary: 'Origin' };
const allowed = {
  ...vary,
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    'X-Request-Id, Retry-After, Content-Disposition, Idempotency-Replayed, ETag, Content-Range, Accept-Ranges',
};

describe('a file by its signed URL', () => {
  const cases: [what: string, Asked, status: number, headers: Record<string, string>][] = [
    ['whole', {}, 200, whole],
    [
      'its own request id',
      { lines: ['Host: x', 'X-Request-Id: a.b:c-1'] },
      200,
      { ...whole, 'x-request-id': 'a.b:c-1' },
    ],
    ['an odd request id', { lines: ['Host: x', 'X-Request-Id: a b'] }, 200, whole],
    [
      'a part',
      { lines: ['Host: x', 'Range: bytes=5-9'] },
      206,
      { ...content, 'content-length': '5', 'content-range': 'bytes 5-9/1000' },
    ],
    ['nothing new', { lines: ['Host: x', `If-None-Match: "${key}"`] }, 304, cached],
    ['of an origin, without CORS', { lines: ['Host: x', `Origin: ${origin}`] }, 200, whole],
    ['by HTTP/1.0 without Host', { version: '1.0', lines: [] }, 200, whole],
    ['with Expect: 100-continue', { lines: ['Host: x', 'Expect: 100-continue'] }, 200, whole],
  ];
  for (const [what, asked, status, headers] of cases) {
    test(`${what}: ${status}`, async () => {
      const answer = await ask(open, asked);
      assert.deepEqual([answer.status, steady(answer.headers)], [status, headers]);
      if (status === 200) assert.equal(answer.body, body);
    });
  }

  test('with a name says under which to save it, whole or in part, and not if it is known', async () => {
    const disposition = `inline; filename="__ 1.jpg"; filename*=UTF-8''%ED%95%9C%EA%B0%95%201.jpg`;
    const path = harness.store.sign(key, '한강 1.jpg');
    for (const [asked, status] of [
      [{}, 200],
      [{ method: 'HEAD' }, 200],
      [{ lines: ['Host: x', 'Range: bytes=5-9'] }, 206],
      [{ lines: ['Host: x', `If-None-Match: "${key}"`] }, 304],
    ] as const) {
      const answer = await ask(open, { path, ...asked });
      const expected = status === 304 ? undefined : disposition;
      assert.equal(answer.status, status);
      assert.equal(steady(answer.headers)['content-disposition'], expected);
    }
  });

  test('HEAD has the headers of GET', async () => {
    const { 'content-length': length, ...headers } = whole;
    assert.ok(length);
    const answer = await ask(open, { method: 'HEAD' });
    assert.deepEqual(steady(answer.headers), { ...headers, 'x-length': '0' });
    const part = await ask(open, { method: 'HEAD', lines: ['Host: x', 'Range: bytes=0-1'] });
    assert.equal(part.status, 200);
  });

  test('CORS headers come for configured origins, and Vary for all', async () => {
    const from = (name: string) => ({ lines: ['Host: x', `Origin: ${name}`] });
    const mine = await ask(proxied, from(origin));
    assert.deepEqual(steady(mine.headers), { ...whole, ...allowed });
    const other = await ask(proxied, from('https://evil.example'));
    assert.deepEqual(steady(other.headers), { ...whole, ...vary });
    const asked = ['Host: x', `Origin: ${origin}`, 'Access-Control-Request-Method: GET'];
    const preflight = await ask(proxied, { method: 'OPTIONS', lines: asked });
    assert.equal(preflight.status, 204);
    assert.deepEqual(steady(preflight.headers), {
      ...always,
      ...allowed,
      'cache-control': 'no-store',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': [
        'Authorization, Content-Type, X-Request-Id, Idempotency-Key, Last-Event-ID',
        'If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Range',
        'traceparent, tracestate, baggage, sentry-trace, Repr-Digest, Content-Digest',
        ...requestHeaderNames,
        'X-App',
      ].join(', '),
      'access-control-max-age': '7200',
    });
  });
});

describe('of other forms of the path and the query', () => {
  const forms: [what: string, path: () => string, status: number][] = [
    ['/FILES/ in upper case', () => `/FILES/${signedUrl.slice('/files/'.length)}`, 200],
    ['another parameter', () => `${signedUrl}&other=1`, 200],
    [
      'the parameters swapped',
      () => `/files/${key}?${query.slice(1).split('&').reverse().join('&')}`,
      200,
    ],
    ['an encoded name of a parameter', () => signedUrl.replace('exp=', '%65xp='), 200],
    ['exp[] beside exp', () => `/files/${key}?exp[]=1&${query.slice(1)}`, 200],
    ['a fragment', () => `${signedUrl}#fragment`, 200],
    ['a URL with its host', () => `http://other.example${signedUrl}`, 200],
    ['exp twice', () => `${signedUrl}&exp=1`, 403],
    ['sig twice', () => `${signedUrl}&sig=1`, 403],
    ['no query', () => `/files/${key}`, 403],
    ['a later exp', () => signedUrl.replace(/exp=\d/, 'exp=9'), 403],
    ['two slashes before the key', () => `/files//${signedUrl.slice('/files/'.length)}`, 403],
    ['a slash after the key', () => `/files/${key}/${query}`, 403],
    ['encoded slashes', () => `/files/${key.replaceAll('/', '%2F')}${query}`, 403],
    ['an encoded dot', () => `/files/${key.replace('.', '%2E')}${query}`, 403],
    ['an encoded zero', () => `/files/a%00${query}`, 403],
    ['backslashes', () => `/files/\\${key}${query}`, 403],
    ['a malformed encoding', () => `/files/a%zz${query}`, 400],
    ['bytes that are no UTF-8', () => `/files/%ff${query}`, 400],
    ['no key', () => `/files/${query}`, 404],
    ['no slash', () => `/files${query}`, 404],
    ['two slashes before files', () => `/${signedUrl}`, 404],
    ['an object that is gone', () => harness.store.sign('a/missing.jpg'), 404],
  ];
  for (const [what, path, status] of forms) {
    test(`${what}: ${status}`, async () => {
      const answer = await ask(open, { path: path() });
      assert.equal(answer.status, status);
      if (status === 200) assert.deepEqual(steady(answer.headers), whole);
      else {
        const { 'content-length': length, ...headers } = steady(answer.headers);
        assert.deepEqual(headers, failure);
        assert.equal(Number(length), answer.body.length);
        assert.equal((JSON.parse(answer.body) as { status_code: number }).status_code, status);
      }
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
    test(`${method}: 405 with Allow`, async () => {
      const answer = await ask(open, { method, lines: ['Host: x', 'Content-Length: 0'] });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD']);
    });
  }
});

describe('Host', () => {
  const cases: [what: string, server: () => FileServer, lines: string[], status: number][] = [
    ['missing', () => open, [], 400],
    ['given twice', () => open, ['Host: a', 'host: b'], 400],
    [
      'malformed, as forwarded by a proxy',
      () => proxied,
      ['Host: x', 'X-Forwarded-Host: a b'],
      400,
    ],
    [
      'the first of those forwarded',
      () => proxied,
      ['Host: x', 'X-Forwarded-Host: a.b , c d'],
      200,
    ],
    ['forwarded empty', () => proxied, ['Host: x', 'X-Forwarded-Host:'], 200],
    ['forwarded, without a proxy', () => open, ['Host: x', 'X-Forwarded-Host: a b'], 200],
    ['a forwarded protocol', () => proxied, ['Host: x', 'X-Forwarded-Proto: https, http'], 200],
    ['an odd protocol', () => proxied, ['Host: x', 'X-Forwarded-Proto: gopher'], 400],
    ['an odd protocol, without a proxy', () => open, ['Host: x', 'X-Forwarded-Proto: gopher'], 200],
    ['an odd expectation', () => open, ['Host: x', 'Expect: tea'], 417],
  ];
  for (const [what, server, lines, status] of cases) {
    test(`${what}: ${status}`, async () => {
      assert.equal((await ask(server(), { lines })).status, status);
    });
  }
});

test('the log has one entry for each request, without its query', async () => {
  logged.length = 0;
  await ask(open, { lines: ['Host: x', 'X-Request-Id: first'] });
  const second = ['Host: x', 'X-Request-Id: second', 'User-Agent: camera', `X-Forwarded-For: a, b`];
  await ask(proxied, { path: `/files/a%zz${query}`, lines: second });
  const entries = logged.map(({ ms, bytes, ...entry }) => ({
    ...entry,
    ms: Number.isInteger(ms),
    bytes: bytes > 200,
  }));
  const measured = { ms: true, bytes: true };
  const common = { method: 'GET', ...measured, user: undefined, platform: undefined };
  const local = { client: '127.0.0.1', agent: undefined };
  const proxy = { client: 'b', agent: 'camera' };
  assert.deepEqual(entries, [
    { ...common, path: `/files/${key}`, status: 200, id: 'first', ...local },
    { ...common, path: '/files/a%zz', status: 400, id: 'second', ...proxy },
  ]);
});
