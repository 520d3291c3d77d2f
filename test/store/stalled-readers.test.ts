import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { fileHandler, fileShares } from '../../src/http/files.js';
import { eventually } from '../../testkit/eventually.js';
import { heldMemory } from '../../testkit/held-memory.js';
import { closed, dial } from '../../testkit/raw.js';
import { serveFiles, type FileServer } from '../../testkit/store/file-server.js';
import { putBytes, type StoreHarness } from '../../testkit/store/harness.js';
import { makeLocalStore } from '../../testkit/store/local-harness.js';
import { makeS3Store } from './s3-harness.js';
import { longOnly } from '../../testkit/long-form.js';

const clientsProgram = new URL('stalled-clients.js', import.meta.url);

/** More than the kernel buffers for a client that reads nothing. */
const size = 20_000_000;

/** Connections that have requested a file, received the head of the answer, and read no further. */
async function stall(server: FileServer, path: string, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await dial(server.base);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, 'readable');
      return socket;
    }),
  );
}

/** Waits until no more is buffered: two samples of memory are equal. */
async function settled(): Promise<number> {
  let before = NaN;
  let held = heldMemory();
  await eventually('nothing moves any more', async () => {
    before = held;
    await new Promise((resolve) => setTimeout(resolve, 200));
    held = heldMemory();
    return Math.abs(held - before) < 64 * 1024;
  });
  return held;
}

for (const [kind, make, mostKb, togetherKb] of [
  // Some have large buffers, 8 MB in all.
  ['local', makeLocalStore, 128, 8 * 1024],
  // The server sends chunks of 64 KB: one is being sent, one waits.
  ['S3', makeS3Store, 256, 0],
] as const) {
  describe(`clients that do not read their responses, from a ${kind} store,`, () => {
    const verifier = { verify: () => ({ state: 'ok', secondsLeft: 9, signedAt: 0 }) as const };
    const serving = async (
      stallMs: number,
      work: (server: FileServer, path: string) => Promise<void>,
    ): Promise<void> => {
      const harness: StoreHarness = await make();
      const server = await serveFiles(harness.store, verifier, stallMs);
      try {
        const key = await putBytes(harness, Buffer.alloc(size, 'x'));
        await work(server, `/files/${key}`);
      } finally {
        await server.close();
        await harness.cleanup();
      }
    };

    it('take little memory each', kind === 'S3' ? longOnly : {}, (t) =>
      serving(60_000, async (server, path) => {
        await (await fetch(server.base + path)).body?.pipeTo(new WritableStream());
        const count = 60;
        const clients = new Worker(clientsProgram, {
          workerData: { base: server.base, path, count },
        });
        await once(clients, 'message');
        const before = await settled();
        clients.postMessage('stall');
        await once(clients, 'message');
        const each = ((await settled()) - before) / count / 1024;
        await clients.terminate();
        assert.ok(each <= mostKb + togetherKb / count, `${Math.round(each)} KB each`);
        t.diagnostic(`${Math.round(each)} KB each`);
      }),
    );

    it('take the share of the user whose file it is, and no one else’s', async () => {
      const harness: StoreHarness = await make();
      const shares = fileShares(64, false); // four files of one user, and four that wait
      const files = fileHandler({ store: harness.store, verifier, shares });
      const server = await serveFiles(harness.store, verifier, 60_000, { files });
      try {
        const path = `/files/${await putBytes(harness, Buffer.alloc(size, 'x'))}`;
        const other = `${server.base}/files/${await putBytes(harness, 'y')}`;
        const stalled = await stall(server, path, 4);
        const read = async (): Promise<number> => {
          const answer = await fetch(server.base + path);
          await answer.body?.pipeTo(new WritableStream());
          return answer.status;
        };
        const more = Array.from({ length: 5 }, read);
        assert.equal(await Promise.race(more), 503, 'one finds no place to wait');
        assert.equal((await fetch(other)).status, 200, 'another user is not affected');
        const { status } = await fetch(server.base + path, { method: 'HEAD' });
        assert.equal(status, 200, 'what sends no bytes needs no place');
        for (const socket of stalled) socket.destroy();
        assert.deepEqual((await Promise.all(more)).sort(), [200, 200, 200, 200, 503]);
        assert.equal(await read(), 200);
      } finally {
        await server.close();
        await harness.cleanup();
      }
    });

    it('are disconnected even if they send more; one that reads slowly is not', () =>
      serving(2_500, async (server, path) => {
        const [silent, busy, slow] = (await stall(server, path, 3)) as [Socket, Socket, Socket];
        const ended = [silent, busy].map((socket) => closed(socket));
        const trickle = setInterval(() => busy.write('G'), 100);
        let read = 0;
        const reading = setInterval(() => {
          read += (slow.read(Math.min(slow.readableLength, 200_000)) as Buffer | null)?.length ?? 0;
        }, 20);
        // They notice it only when they continue.
        setTimeout(() => [silent, busy].forEach((socket) => socket.resume()), 6_000);
        try {
          await Promise.all(ended);
          for (const { bytesRead } of [silent, busy]) assert.ok(bytesRead < size);
          await eventually('the slow one has all of it', async () => read >= size);
          assert.ok(!slow.destroyed);
        } finally {
          clearInterval(trickle);
          clearInterval(reading);
          slow.destroy();
        }
      }));
  });
}
