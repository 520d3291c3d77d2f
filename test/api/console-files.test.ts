import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../testkit/service.js';

const { service } = await testService();

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
const assetIn = async (): Promise<string> =>
  /\/console\/assets\/[\w-]+\.js/.exec(await (await get('/console/')).text())?.[0] ?? '';

test('the frame has a strict policy, and is served at every path of the console', async () => {
  for (const path of ['/console/', '/console/platforms/x', '/console/index.html']) {
    const answer = await get(path);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'$/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  }
});

test('assets are immutable, compressed, and not sent again', async () => {
  const path = await assetIn();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'Accept-Encoding': encoding };
    const answer = await get(path, { headers });
    assert.equal(answer.headers.get('content-encoding') ?? 'identity', encoding);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    const etag = answer.headers.get('etag') ?? '';
    const known = await get(path, { headers: { ...headers, 'If-None-Match': etag } });
    assert.equal(known.status, 304);
    assert.match(await answer.text(), /^[^<]/);
  }
  const refused = { 'Accept-Encoding': 'br;q=0, gzip;q=0' };
  assert.equal((await get(path, { headers: refused })).headers.get('content-encoding'), null);
  const head = await get(path, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('who signs out has the browser forget what it has cached', async () => {
  const left = await get('/console/signed-out');
  assert.deepEqual([left.status, left.headers.get('clear-site-data')], [204, '"cache"']);
});

test('missing assets are 404; only reading is possible', async () => {
  assert.equal((await get('/console/assets/gone-12345678.js')).status, 404);
  assert.equal(
    (await get('/console/..%2f..%2fpackage.json')).headers.get('cache-control'),
    'no-cache',
  );
  const posted = await get('/console/', { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  const moved = await get('/console');
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, 'console/']);
});
