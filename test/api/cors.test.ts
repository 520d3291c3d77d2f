import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answerHeaderNames, requestHeaderNames } from '../../src/http/tus.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import { ownService, testService } from '../../testkit/service.js';

const service = await ownService(
  { after },
  { 'cors.origins': 'https://App.example:443/,capacitor://localhost', 'cors.headers': 'X-App' },
);
const { client } = service;
const user = await service.user();

describe('CORS', () => {
  const preflight = (origin: string, base = client) =>
    base.raw('OPTIONS', `/api/v1/users/${user.id}`, {
      headers: { origin, 'access-control-request-method': 'PUT' },
    });

  test('allows a configured origin, also in failures', async () => {
    const answer = await preflight('https://app.example');
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /PUT/);
    const allowed = answer.headers.get('access-control-allow-headers') ?? '';
    assert.match(allowed, /Authorization/);
    assert.match(allowed, /Idempotency-Key/);
    assert.match(allowed, /Last-Event-ID/);
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    assert.match(exposed, /Idempotency-Replayed/);
    const usual =
      'If-None-Match If-Match If-Range Range traceparent tracestate baggage sentry-trace';
    for (const name of usual.split(' ')) assert.ok(allowed.split(', ').includes(name), name);
    assert.ok(allowed.split(', ').includes('X-App'));
    for (const name of ['ETag', 'Content-Range', 'Accept-Ranges', 'Retry-After']) {
      assert.ok(exposed.split(', ').includes(name), name);
    }
    for (const name of requestHeaderNames) assert.ok(allowed.split(', ').includes(name), name);
    for (const name of answerHeaderNames) assert.ok(exposed.split(', ').includes(name), name);
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /HEAD.*PATCH/);
    const refused = await client.raw('GET', `/api/v1/users/${user.id}`, {
      headers: { origin: 'https://app.example' },
    });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(refused.headers.get('vary') ?? '', /origin/i);
  });

  test('allows the origins of apps', async () => {
    const { headers } = await preflight('capacitor://localhost');
    assert.equal(headers.get('access-control-allow-origin'), 'capacitor://localhost');
  });

  test('lets a page read what is refused before anything else, too', async () => {
    const socket = await dial(client.base);
    const lines = ['Host: a b', 'Origin: https://app.example', 'Connection: close'];
    socket.write(['GET /livez HTTP/1.1', ...lines, '', ''].join('\r\n'));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await closed(socket);
    const [refused] = answersIn(text);
    assert.equal(refused?.status, 400);
    assert.equal(refused.headers['access-control-allow-origin'], 'https://app.example');
  });

  test('sends no headers to other origins', async () => {
    const answer = await preflight('https://evil.example');
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.notEqual(answer.status, 204);
  });

  test('is off by default', async () => {
    const plain = await testService();
    const answer = await preflight('https://app.example', plain.client);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    const { headers } = await plain.client.raw('GET', '/livez', {
      headers: { origin: 'https://app.example' },
    });
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});
