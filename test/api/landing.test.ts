import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { testService } from '../../testkit/service.js';

const service = await testService();

describe('GET /', () => {
  test('wears the colors of the console, leads to it, and names the command', async () => {
    const page = await (await service.client.raw('GET', '/')).text();
    const declared = (css: string) =>
      new Map([...css.matchAll(/^ *(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
    const ofConsole = declared(await readFile('console/styles/tokens.css', 'utf8'));
    const own = declared(/<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '');
    assert.ok(own.size > 8);
    for (const [name, value] of own) assert.equal(value, ofConsole.get(name), name);
    assert.match(page, /<a class="button" href="console\/">/);
    assert.match(page, /^<pre><code>imgstore console --home HOME<\/code>/m);
  });

  test('is a page with working links, without scripts or other resources', async () => {
    const answer = await service.client.raw('GET', '/');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const page = await answer.text();
    const links = [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, path]) => path ?? '');
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
