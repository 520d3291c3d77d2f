import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readlink, truncate } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { serveFiles } from '../../testkit/store/file-server.js';
import { putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore, type LocalHarness } from '../../testkit/store/local-harness.js';

describe('signed URLs, when something goes wrong in transit,', () => {
  let harness: LocalHarness;
  let key: string;
  const warnings: string[] = [];
  const warned = ({ message }: Error): void => {
    if (message.startsWith('Closing')) warnings.push(message);
  };
  before(async () => {
    process.on('warning', warned);
    harness = await makeLocalStore();
    key = await putBytes(harness, Buffer.alloc(1000));
  });
  after(async () => {
    process.off('warning', warned);
    await harness.cleanup();
  });

  /**
   * Waits until the server has no object open; each request gives it a chance to notice. Garbage
   * collection also closes leaked files, but emits a warning.
   */
  const allClosed = async (): Promise<void> => {
    for (let i = 0; i < 1000 && (await openObjects(harness.root)) > 0; i += 1) {
      await harness.fetch(harness.store.sign(key), { method: 'HEAD' });
    }
    assert.equal(await openObjects(harness.root), 0);
    assert.deepEqual(warnings, []);
  };

  it('close the file when the client disconnects', async () => {
    const big = harness.store.sign(await putBytes(harness, Buffer.alloc(30_000_000)));
    const base = new URL((await harness.fetch(big, { method: 'HEAD' })).url).origin;
    for (let i = 0; i < 5; i += 1) {
      const client = get(base + big);
      const [answer] = (await once(client, 'response')) as [Readable];
      await once(answer, 'readable');
      assert.ok((await openObjects(harness.root)) > 0, 'the file is open while it is being sent');
      client.destroy();
    }
    await allClosed();
  });

  it('close the files of requests still queued on their connection', async () => {
    const big = harness.store.sign(await putBytes(harness, Buffer.alloc(5_000_000)));
    const base = new URL((await harness.fetch(big, { method: 'HEAD' })).url);
    const client = connect(Number(base.port), base.hostname);
    client.write(`GET ${big} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(8));
    await once(client, 'readable');
    client.destroy();
    await allClosed();
  });

  it('break the connection when an object turns out shorter than expected', async () => {
    const cut = await putBytes(harness, Buffer.alloc(20_000_000));
    const answer = await harness.fetch(harness.store.sign(cut));
    await truncate(join(harness.root, cut), 1_000_000);
    await assert.rejects(answer.arrayBuffer());
    await allClosed();
  });

  it('break the connection when the store fails halfway', async () => {
    const failing = {
      stat: (k: string) => harness.store.stat(k),
      get: async (k: string) => {
        const body = await harness.store.get(k);
        const broken = new PassThrough();
        body?.stream.once('data', (chunk: Buffer) => {
          body.stream.destroy();
          broken.write(chunk.subarray(0, 10));
          setImmediate(() => broken.destroy(new Error('disk on fire')));
        });
        return body && { bytes: body.bytes, modifiedAt: body.modifiedAt, stream: broken };
      },
    };
    const server = await serveFiles(failing, {
      verify: () => ({ state: 'ok', secondsLeft: 9, signedAt: 0 }),
    });
    try {
      const late = once(server.failures, 'failure');
      const answer = await fetch(`${server.base}/files/${key}`);
      assert.equal(answer.status, 200);
      await assert.rejects(answer.arrayBuffer());
      assert.match(String(await late), /disk on fire/);
    } finally {
      await server.close();
    }
  });
});

/** Descriptors of this process for files below `root`. */
async function openObjects(root: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(root)).length;
}
