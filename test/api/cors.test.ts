import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answerHeaderNames, requestHeaderNames } from '../../src/http/tus.js';
import { ownService, testService } from '../../testkit/service.js';

const service = await ownService({ after }, { 'cors.origins': 'https://app.example' });
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
