import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { putBytes, type StoreHarness } from '../../testkit/store/harness.js';

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

export function describeSignedUrls(harness: () => StoreHarness): void {
  describe('signed URLs', () => {
    it('return the object with its type', async () => {
      const bytes = randomBytes(300_000);
      const { store, fetch } = harness();
      for (const [name, type] of [
        ['original.heic', 'image/heic'],
        ['thumb.webp', 'image/webp'],
      ] as const) {
        const key = await putBytes(
          harness(),
          bytes,
          `types/${randomBytes(8).toString('hex')}/${name}`,
        );
        const answer = await fetch(store.sign(key));
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), type);
        assert.equal(answer.headers.get('content-length'), String(bytes.length));
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      }
    });

    it('return ranges', async () => {
      const bytes = randomBytes(1000);
      const key = await putBytes(harness(), bytes);
      const { store, fetch } = harness();
      const answer = await fetch(store.sign(key), { headers: { range: 'bytes=10-19' } });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get('content-range'), 'bytes 10-19/1000');
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes.subarray(10, 20));
    });

    it('return the object under its name, however it is written', async () => {
      const key = await putBytes(harness(), 'x', `names/${randomBytes(8).toString('hex')}.jpg`);
      const { store, fetch } = harness();
      for (const [name, plain] of [
        ['IMG_1234.JPG', 'IMG_1234.JPG'],
        ['한강 다리.jpg', '__ __.jpg'],
        [`a"b%41'(1)*!~+&=#?;\\.jpg`, `a_b_41'(1)*!~+&=#?;_.jpg`],
        [`${'𝄞'.repeat(246)}.jpg`, `${'_'.repeat(246)}.jpg`],
      ] as const) {
        const answer = await fetch(store.sign(key, name));
        assert.equal(answer.status, 200, name);
        const disposition = answer.headers.get('content-disposition') ?? '';
        const [, quoted, encoded] =
          /^inline; filename="([^"]*)"; filename\*=UTF-8''([\w.~%-]*)$/.exec(disposition) ?? [];
        assert.deepEqual([quoted, decodeURIComponent(encoded ?? '')], [plain, name], disposition);
        const etag = answer.headers.get('etag') ?? '';
        await answer.arrayBuffer();
        const fresh = await fetch(store.sign(key), { headers: { 'if-none-match': etag } });
        assert.equal(fresh.status, 304, 'the name is not part of the object');
      }
    });

    it('are rejected with another name, or without theirs', async () => {
      const { store, fetch } = harness();
      const key = await putBytes(harness(), 'x');
      const url = store.sign(key, 'mine.jpg');
      assert.equal((await fetch(url)).status, 200);
      const plain = store.sign(key);
      for (const changed of [
        url.replace('mine.jpg', 'yours.jpg'),
        url.replaceAll(/[&]name=[^&]*|[&]response-content-disposition=[^&]*/g, ''),
        ...(plain.startsWith('/') ? [`${url}&name=twice.jpg`, `${plain}&name=mine.jpg`] : []),
      ]) {
        assert.equal((await fetch(changed)).status, 403, changed);
      }
    });

    it('answer 304 to a client that has the object', async () => {
      const key = await putBytes(harness(), 'x');
      const { store, fetch } = harness();
      const first = await fetch(store.sign(key));
      await first.arrayBuffer();
      const etag = first.headers.get('etag');
      assert.ok(etag && !etag.startsWith('W/'));
      const again = await fetch(store.sign(key), { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
    });

    it('of missing objects answer 404', async () => {
      const { store, fetch } = harness();
      const key = await putBytes(harness(), 'x');
      const url = store.sign(key);
      await store.delete([key]);
      assert.equal((await fetch(url)).status, 404);
    });

    it('are rejected after any change', async () => {
      const { store, fetch } = harness();
      const key = await putBytes(harness(), 'x');
      const other = await putBytes(harness(), 'y');
      const url = store.sign(key);
      assert.equal((await fetch(url)).status, 200);
      const query = url.slice(url.indexOf('?'));
      const longer = url.replace(/(exp|X-Amz-Expires)=\d/i, '$1=9');
      assert.notEqual(longer, url);
      for (const changed of [
        longer,
        url.replace(key, other),
        url.replace(key, `${key.slice(0, -1)}x`),
        url.slice(0, -query.length),
        url.replace(
          /(sig|X-Amz-Signature)=./i,
          (found) => found.slice(0, -1) + (found.endsWith('a') ? 'b' : 'a'),
        ),
      ]) {
        assert.equal((await fetch(changed)).status, 403, changed);
      }
    });

    it('are valid for their lifetime and at most a quarter longer', async () => {
      const { ttlSeconds, signAt, fetch } = harness();
      const key = await putBytes(harness(), 'x');
      assert.equal((await fetch(signAt(key, secondsAgo(ttlSeconds - 10)))).status, 200);
      assert.equal((await fetch(signAt(key, secondsAgo(ttlSeconds * 1.25 + 2)))).status, 403);
    });

    it('stay the same within a window, and differ between objects', () => {
      const { ttlSeconds, signAt, store } = harness();
      const start = Date.now();
      const times = Array.from(
        { length: 20 },
        (_, i) => new Date(start + (i / 20) * ttlSeconds * 250),
      );
      // One end of a window may fall into this quarter of the time to live, but not two.
      assert.ok(new Set(times.map((at) => signAt('a/b.jpg', at))).size <= 2);
      const two = new Date(start + ttlSeconds * 500);
      assert.notEqual(signAt('a/b.jpg', new Date(start)), signAt('a/b.jpg', two));
      assert.notEqual(store.sign('a/b.jpg'), store.sign('a/c.jpg'));
    });

    it('are the same when signed by directory', () => {
      const { store } = harness();
      const base = 'https://images.example';
      const url = store.sign('a/b/c.jpg');
      assert.equal(store.signIn('a/b/', base)('c.jpg'), url.startsWith('/') ? base + url : url);
      const sign = store.signIn('a/b/', base);
      for (const name of ['x.jpg', '사진.jpg', 'x.jpg', undefined]) {
        const one = store.sign('a/b/c.jpg', name);
        assert.equal(sign('c.jpg', name), one.startsWith('/') ? base + one : one);
      }
    });
  });
}
