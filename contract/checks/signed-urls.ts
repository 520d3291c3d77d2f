import assert from 'node:assert/strict';
import { area } from '../harness.js';
import { picture } from '../../testkit/world.js';
import type { World } from '../../testkit/world.js';

async function stored(world: World) {
  const bytes = await picture({ width: 200, height: 150 });
  const user = await world.user();
  return { user, bytes, image: await user.upload({}, bytes) };
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });

export const signedUrls = area('signed URLs', (check) => {
  check('getImage', '§8.1 opens without a token, with the correct content type', async (world) => {
    const { image, bytes } = await stored(world);
    const answer = await get(image.org_path_url);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/jpeg');
    assert.equal(answer.headers.get('content-length'), String(bytes.length));
    assert.ok(answer.headers.get('etag'));
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  });

  check('getImage', '§8.2 supports HEAD, ranges and conditional requests', async (world) => {
    const { image, bytes } = await stored(world);
    const head = await fetch(image.org_path_url, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(bytes.length));
    const part = await get(image.org_path_url, { range: 'bytes=10-19' });
    assert.deepEqual(
      [part.status, part.headers.get('content-range')],
      [206, `bytes 10-19/${bytes.length}`],
    );
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
    const none = await get(image.org_path_url, { range: 'bytes=99999999-' });
    assert.equal(none.status, 416);
    const again = await get(image.org_path_url, {
      'if-none-match': head.headers.get('etag') ?? '',
    });
    assert.equal(again.status, 304);
  });

  check('getImage', '§8.1 the same object gets the same URL within a window', async (world) => {
    const { user, image } = await stored(world);
    // A window may end between two reads, but not twice.
    const reads = [];
    for (let n = 0; n < 3; n += 1) reads.push((await user.image(image.id)).path_url);
    assert.ok(reads[0] === reads[1] || reads[1] === reads[2], reads.join(' '));
  });

  check('getImage', '§8.3 a tampered URL is 403', async (world) => {
    const { image } = await stored(world);
    const url = new URL(image.org_path_url);
    const [name, value] = [...url.searchParams].at(-1) ?? ['', ''];
    const other = value.startsWith('A') ? 'B' : 'A';
    url.searchParams.set(name, other + value.slice(1));
    assert.equal((await get(url.href)).status, 403);
    const bare = new URL(image.org_path_url);
    bare.search = '';
    assert.equal((await get(bare.href)).status, 403);
  });

  check('getImage', '§8.1 a signature is valid for one object only', async (world) => {
    const [a, b] = [(await stored(world)).image, (await stored(world)).image];
    const mixed = new URL(a.org_path_url);
    mixed.search = new URL(b.org_path_url).search;
    assert.equal((await get(mixed.href)).status, 403);
  });

  check(
    'getImage',
    '§8.2 responses served by the API are private and have nosniff',
    async (world) => {
      const { image } = await stored(world);
      if (!image.path_url.startsWith(new URL('/files/', world.client.base).href)) return;
      const { headers } = await get(image.path_url);
      assert.match(headers.get('cache-control') ?? '', /\bprivate\b/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    },
  );
});
