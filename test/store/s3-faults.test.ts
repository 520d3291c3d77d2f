import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openBucket } from '../../src/store/s3/bucket.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import type { UrlSigner } from '../../src/store/port.js';
import { Relay } from '../../testkit/relay.js';
import { serveFiles } from '../../testkit/store/file-server.js';
import { bytesOf, incomingFile, listed, newKey, putBytes } from '../../testkit/store/harness.js';
import { makeS3Store, type S3Harness } from './s3-harness.js';

const signer: UrlSigner = { sign: (key) => key, signIn: (folder) => (name) => folder + name };

/** An endpoint where nothing listens. */
const deadEnd = 'http://127.0.0.1:9';

describe('S3 store behind gateways that fail', () => {
  let harness: S3Harness;
  let relay: Relay;
  beforeEach(async () => {
    harness = await makeS3Store();
    relay = await Relay.to(harness.bucketConfig.endpoints[0] ?? '');
  });
  afterEach(async () => {
    await relay.cut();
    await harness.cleanup();
  });

  const through = (...endpoints: string[]): S3Store => {
    const bucket = openBucket({ ...harness.bucketConfig, endpoints });
    return new S3Store({ bucket, instanceId: randomUUID(), signer });
  };

  it('uses another gateway when one is dead, and stops trying the dead one', async () => {
    const store = through(deadEnd, relay.url);
    const both = { store, incoming: harness.incoming };
    const keys = await Promise.all([1, 2, 3].map((i) => putBytes(both, `picture ${i}`)));
    for (const [i, key] of keys.entries()) {
      assert.equal(String(await bytesOf(store, key)), `picture ${i + 1}`);
    }
    await store.delete(keys);
    assert.deepEqual(await listed(store, `${keys[0]?.split('/')[0]}/`), []);
  });

  it('uses another gateway when one falls silent', async () => {
    const store = through(relay.url, harness.bucketConfig.endpoints[0] ?? '');
    relay.mode = 'hang';
    const key = await putBytes({ store, incoming: harness.incoming }, 'x');
    assert.equal(String(await bytesOf(store, key)), 'x');
    assert.equal(relay.connections, 1, 'it was asked once');
  });

  it('treats a put whose response was lost as done', async () => {
    const store = through(relay.url);
    await store.stat(newKey()); // opens the connection
    relay.mode = 'drop-answers';
    const key = await putBytes({ store, incoming: harness.incoming }, 'x');
    assert.equal(relay.mode, 'pass', 'an answer was lost');
    assert.equal(String(await bytesOf(harness.store, key)), 'x');
  });

  it('repeats a lost part of a large put', async () => {
    const store = through(relay.url);
    const bytes = randomBytes(65 * 1024 * 1024);
    const object = await incomingFile(harness, newKey(), bytes);
    await store.stat(newKey());
    const puts = store.put([object]);
    relay.mode = 'drop-answers';
    await puts;
    assert.equal(relay.mode, 'pass', 'an answer was lost');
    assert.deepEqual(await bytesOf(harness.store, object.key), bytes);
  });

  it('fails with the reason when all gateways are down, keeps the files, and recovers', async () => {
    const store = through(relay.url, deadEnd);
    const key = await putBytes({ store, incoming: harness.incoming }, 'x');
    await relay.cut();
    const object = await incomingFile(harness, newKey(), 'y');
    const failing = [store.get(key), store.stat(key), store.put([object]), store.check()];
    await Promise.all(failing.map((one) => assert.rejects(one, { code: 'unavailable' })));
    await access(object.path);
    await relay.reconnect();
    await store.put([object]);
    assert.equal(String(await bytesOf(store, object.key)), 'y');
  });

  it('logs why an answer ends early when its gateway disconnects', async (t) => {
    const store = through(relay.url);
    const key = await putBytes({ store, incoming: harness.incoming }, randomBytes(20_000_000));
    const server = await serveFiles(store, {
      verify: () => ({ state: 'ok', secondsLeft: 9, signedAt: 0 }),
    });
    t.after(() => server.close());
    const late = once(server.failures, 'failure');
    const answer = await fetch(`${server.base}/files/${key}`);
    assert.equal(answer.status, 200);
    await relay.cut();
    await assert.rejects(answer.arrayBuffer());
    assert.match(String(await late), /aborted/);
  });

  it('does not mistake a missing bucket for an empty one', async () => {
    const bucket = openBucket({ ...harness.bucketConfig, bucket: `none-${randomUUID()}` });
    const store = new S3Store({ bucket, instanceId: randomUUID(), signer });
    await assert.rejects(listed(store, ''), { code: 'unavailable' });
    await assert.rejects(store.get(newKey()), { code: 'unavailable' });
    await assert.rejects(store.delete([newKey()]), { code: 'unavailable' });
    await assert.rejects(store.check(), { code: 'unavailable' });
  });
});
