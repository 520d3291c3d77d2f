import assert from 'node:assert/strict';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore, type LocalHarness } from '../../testkit/store/local-harness.js';
import { RecentObjects } from './recent-objects.js';

describe('objects that were there a moment ago', () => {
  let harness: LocalHarness;
  let now = 0;
  const open = (): RecentObjects => new RecentObjects(harness.store, () => now);
  const textOf = async (objects: RecentObjects, key: string): Promise<string | undefined> =>
    (await (await objects.get(key))?.read?.())?.toString();

  before(async () => {
    harness = await makeLocalStore();
  });
  after(() => harness.cleanup());

  it('are known without waiting for a second, with the bytes of small ones', async () => {
    const objects = open();
    const key = await putBytes(harness, Buffer.from('small'));
    assert.equal(objects.peek(key), undefined);
    assert.equal((await objects.stat(key))?.bytes, 5);
    assert.deepEqual(objects.peek(key)?.content, undefined);
    assert.equal(await textOf(objects, key), 'small');
    assert.equal(objects.peek(key)?.content?.toString(), 'small');
    now += 999;
    assert.ok(objects.peek(key));
    now += 1;
    assert.equal(objects.peek(key), undefined);
  });

  it('are looked for again after that, and gone when they are', async () => {
    const objects = open();
    const key = await putBytes(harness, Buffer.from('gone soon'));
    await objects.get(key);
    await rm(join(harness.root, key));
    now += 1000;
    assert.equal(await objects.get(key), undefined);
    assert.equal(objects.peek(key), undefined);
  });

  it('are read again when the file is another one', async () => {
    const objects = open();
    const key = await putBytes(harness, Buffer.from('before'));
    await objects.get(key);
    const file = join(harness.root, key);
    await rm(file);
    await writeFile(file, 'after!');
    await utimes(file, 1, 1);
    now += 1000;
    assert.equal(await textOf(objects, key), 'after!');
  });

  it('are as many, and keep as many bytes, as there is room for', async () => {
    const absent = await putBytes(harness, Buffer.alloc(64 * 1024 + 1));
    const objects = new RecentObjects(
      {
        stat: async () => ({ bytes: 64 * 1024, modifiedAt: new Date(0) }),
        get: (key) => harness.store.get(key === 'large' ? absent : kept),
      },
      () => now,
    );
    const kept = await putBytes(harness, Buffer.alloc(64 * 1024));
    await objects.get('large');
    assert.equal(objects.peek('large')?.content, undefined, 'too large');
    for (let n = 0; n < 257; n += 1) await objects.get(`small-${n}`);
    assert.equal(objects.peek('small-0'), undefined, 'made room');
    assert.ok(objects.peek('small-1')?.content);
    for (let n = 0; n < 10_000; n += 1) await objects.stat(`other-${n}`);
    assert.equal(objects.peek('small-256'), undefined, 'the oldest');
    assert.ok(objects.peek('other-0'));
  });

  it('give ranges as the store does', async () => {
    const objects = open();
    const key = await putBytes(harness, Buffer.from('0123456789'));
    await objects.get(key);
    const body = await objects.get(key, { start: 2, end: 4 });
    assert.equal((await body?.read?.())?.toString(), '234');
  });
});
