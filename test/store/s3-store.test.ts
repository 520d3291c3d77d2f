import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBucket } from '../../src/store/s3/bucket.js';
import { longForm } from '../../testkit/long-form.js';
import { describeStore } from './conformance.js';
import { newKey, putBytes } from '../../testkit/store/harness.js';
import { makeS3Store, makeS3StoreBelow } from './s3-harness.js';

// Lists and bodies go through the same code at any path: the one with more to get wrong has them all.
describeStore('S3 store', makeS3Store, { large: false, many: false });
describeStore('S3 store below a path and a prefix', makeS3StoreBelow, { many: longForm });

describe('in a bucket with versions', async () => {
  const harness = await makeS3Store();
  after(() => harness.cleanup());
  const { endpoints, name } = openBucket(harness.bucketConfig);
  const { store } = harness;

  /** Every version in the bucket, and every marker that hides one. */
  const versions = () =>
    endpoints.call(async (client) => {
      const keys: string[] = [];
      const listed = client.listObjects(name, '', true, { IncludeVersion: true });
      for await (const one of listed as AsyncIterable<{ name?: string }>) keys.push(one.name ?? '');
      return keys.sort();
    });

  test('a deletion removes all versions of its keys, and no other', async () => {
    await endpoints.call((client) => client.setBucketVersioning(name, { Status: 'Enabled' }));
    const sentinel = await versions();
    const folder = newKey().replace(/[^/]+$/, '');
    const [gone, hidden, kept] = ['original.jpg', 'thumb.jpg', 'display.jpg'].map(
      (file) => folder + file,
    ) as [string, string, string];
    for (const key of [gone, hidden, kept]) await putBytes(harness, 'x', key);
    await endpoints.call((client) => client.removeObject(name, hidden));
    await putBytes(harness, 'y', hidden);
    await endpoints.call((client) => client.removeObject(name, hidden));
    assert.equal((await versions()).length, sentinel.length + 6);

    await store.delete([gone, hidden, newKey()]);
    assert.deepEqual(await versions(), [...sentinel, kept].sort());
    await endpoints.call((client) => client.setBucketVersioning(name, { Status: 'Suspended' }));
    await store.delete([kept]);
    assert.deepEqual(await versions(), sentinel);
    await store.delete(sentinel);
  });
});
