import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });

describe('GET /', () => {
  test('is a page with working links, without scripts or other resources', async () => {
    const answer = await service.client.raw('GET', '/');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const page = await answer.text();
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path ?? '');
    assert.deepEqual(links, ['console/', 'docs', 'openapi.json', 'readyz']);
    for (const path of links) {
      const linked = await service.client.raw('GET', `/${path}`);
      await linked.arrayBuffer();
      assert.equal(linked.status, 200, path);
    }
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
    assert.doesNotMatch(page, /<script|src=|https?:\/\/(?!www\.w3\.org)/);
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`));
  });
});
