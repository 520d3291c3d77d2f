import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buffer } from 'node:stream/consumers';
import {
  bytesOf,
  drain,
  incomingFile,
  listed,
  newKey,
  putBytes,
  randomFile,
  type StoreHarness,
} from '../../testkit/store/harness.js';

const malformedKeys = [
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  'a/../b',
  '../b',
  'a/.',
  'a b',
  'ü',
  'a\0',
  'a%2e',
];

export function describeObjects(harness: () => StoreHarness): void {
  describe('objects', () => {
    it('returns the bytes that were put, and takes ownership of the files', async () => {
      const { store } = harness();
      const contents = [randomBytes(100_000), randomBytes(7), Buffer.alloc(0)];
      const folder = newKey('').slice(0, -1);
      const objects = await Promise.all(
        contents.map((bytes, i) => incomingFile(harness(), `${folder}/${i}.jpg`, bytes)),
      );
      const before = Date.now();
      await store.put(objects);
      for (const [i, { key, path }] of objects.entries()) {
        assert.deepEqual(await bytesOf(store, key), contents[i]);
        const found = await store.stat(key);
        assert.equal(found?.bytes, contents[i]?.length);
        assert.ok(Math.abs((found?.modifiedAt.getTime() ?? 0) - before) < 60_000);
        await assert.rejects(access(path), { code: 'ENOENT' });
      }
    });

    it('returns ranges, with the total size', async () => {
      const bytes = randomBytes(1_000_000);
      const key = await putBytes(harness(), bytes);
      for (const [start, end] of [
        [0, 0],
        [10, 699_999],
        [999_999, 999_999],
        [0, 999_999],
      ] as const) {
        const body = await harness().store.get(key, { start, end });
        assert.ok(body);
        assert.equal(body.bytes, bytes.length);
        assert.deepEqual(await buffer(body.stream), bytes.subarray(start, end + 1));
      }
    });

    it('has nothing under keys that were never put, nor under the folders of keys', async () => {
      const { store } = harness();
      const key = await putBytes(harness(), 'x');
      for (const absent of [newKey(), `${key}/below`, key.slice(0, key.lastIndexOf('/'))]) {
        assert.equal(await store.get(absent), undefined);
        assert.equal(await store.stat(absent), undefined);
      }
    });

    it('refuses malformed keys', async () => {
      const { store } = harness();
      for (const key of [...malformedKeys, 'a'.repeat(1025)]) {
        await assert.rejects(store.get(key), TypeError, key);
        await assert.rejects(store.stat(key), TypeError, key);
        await assert.rejects(store.delete([key]), TypeError, key);
        await assert.rejects(store.put([await incomingFile(harness(), key, 'x')]), TypeError, key);
      }
    });

    it('never overwrites an object', async () => {
      const key = await putBytes(harness(), 'first');
      await assert.rejects(putBytes(harness(), 'second', key));
      assert.equal(String(await bytesOf(harness().store, key)), 'first');
    });

    it('shows no partial object when a put fails', async () => {
      const { store, incoming } = harness();
      const folder = newKey('').slice(0, -1);
      const whole = await incomingFile(harness(), `${folder}/a.jpg`, randomBytes(50_000));
      const missing = { key: `${folder}/b.jpg`, path: join(incoming, randomUUID()) };
      await assert.rejects(store.put([whole, missing]));
      assert.equal(await store.stat(missing.key), undefined);
      const found = await bytesOf(store, whole.key);
      assert.ok(found === undefined || found.length === 50_000);
    });

    it('deletes objects, and counts missing ones as deleted', async () => {
      const { store } = harness();
      const [gone, stays] = [await putBytes(harness(), 'x'), await putBytes(harness(), 'y')];
      await store.delete([gone, newKey()]);
      await store.delete([gone]);
      await store.delete([]);
      assert.equal(await store.get(gone), undefined);
      assert.equal(String(await bytesOf(store, stays)), 'y');
      await putBytes(harness(), 'again', gone);
    });

    it('moves an object to another key, but never to that of another object', async () => {
      const { store } = harness();
      const bytes = randomBytes(70_000);
      const [from, to, other] = [newKey(), `quarantine/${newKey()}`, newKey()];
      await putBytes(harness(), bytes, from);
      await store.move(from, to);
      assert.deepEqual([await store.stat(from), await bytesOf(store, to)], [undefined, bytes]);
      assert.equal((await store.stat(to))?.bytes, bytes.length);
      await putBytes(harness(), 'other', other);
      await assert.rejects(store.move(to, other), /object exists/);
      await assert.rejects(store.move(from, newKey()));
      assert.deepEqual(await bytesOf(store, to), bytes);
      assert.equal(String(await bytesOf(store, other)), 'other');
      await store.move(to, from);
      assert.deepEqual(await listed(store, 'quarantine/'), []);
      assert.deepEqual(await bytesOf(store, from), bytes);
    });

    it('lists by prefix, with sizes', async () => {
      const { store } = harness();
      const base = randomUUID();
      for (const name of ['a/1.jpg', 'a/12.jpg', 'ab/1.jpg', 'b.jpg']) {
        await putBytes(harness(), name, `${base}/${name}`);
      }
      const under = async (prefix: string): Promise<string[]> =>
        (await listed(store, prefix)).map((key) => key.slice(base.length + 1));
      assert.deepEqual(await under(`${base}/a/`), ['a/1.jpg', 'a/12.jpg']);
      assert.deepEqual(await under(`${base}/a`), ['a/1.jpg', 'a/12.jpg', 'ab/1.jpg']);
      assert.deepEqual(await under(`${base}/a/1.`), ['a/1.jpg']);
      assert.deepEqual(await under(`${base}/a/1.jpg/`), []);
      assert.deepEqual(await under(`${base}/c`), []);
      assert.ok((await listed(store, '')).includes(`${base}/b.jpg`));
      for await (const { bytes } of store.list(`${base}/ab/`)) assert.equal(bytes, 8);
    });
  });
}

export function describeManyObjects(harness: () => StoreHarness): void {
  describe('many objects', () => {
    it('lists and deletes more than a thousand objects', async () => {
      const { store } = harness();
      const folder = randomUUID();
      const keys = Array.from({ length: 1_100 }, (_, i) => `${folder}/${i % 7}/${i}.png`).sort();
      await store.put(await Promise.all(keys.map((key) => incomingFile(harness(), key, 'x'))));
      assert.deepEqual(await listed(store, `${folder}/`), keys);
      await store.delete(keys);
      assert.deepEqual(await listed(store, `${folder}/`), []);
    });
  });
}

export function describeLargeObjects(harness: () => StoreHarness): void {
  describe('large objects', () => {
    it('streams an object of 70 MB without holding it in memory', async () => {
      const { store, incoming } = harness();
      const path = join(incoming, randomUUID());
      const sha256 = await randomFile(path, 70_000_000);
      const key = newKey();
      await store.put([{ key, path }]);
      const body = await store.get(key);
      assert.ok(body);
      const read = await drain(body.stream);
      assert.equal(read.sha256, sha256);
      assert.ok(read.peak < 32_000_000, `${read.peak} bytes held`);
      await store.delete([key]);
    });
  });
}
