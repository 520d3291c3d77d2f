import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { eventually } from '../../testkit/eventually.js';
import type { Scope } from '../../testkit/scope.js';
import { runAsCaller } from '../database/fairness.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { Scratch } from './scratch.js';
import { writeChunk } from './streamed-response.js';

const quiet = new AbortController().signal;

async function scratch(scope: Scope, perCaller = 1_000_000, connections = 8) {
  const folder = await mkdtemp(join(tmpdir(), 'imgstore-scratch-'));
  scope.after(() => rm(folder, { recursive: true }));
  const disk = { assertFree: async () => undefined };
  return { folder, space: new Scratch({ folder, disk, perCaller, connections }) };
}

const refused = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable';

test('a producer does not wait for the reader, who gets every byte', async (t) => {
  const { folder, space } = await scratch(t);
  const pieces = Array.from({ length: 300 }, (_, n) => `${n} `.repeat(5_000));
  let produced = false;
  const { write } = space.response('text/plain', async (destination, signal) => {
    for (const piece of pieces) await writeChunk(destination, piece, signal);
    produced = true;
  });
  const reader = new PassThrough({ highWaterMark: 1 });
  const sending = write(reader, quiet);
  await once(reader, 'readable');
  await eventually('all is produced', async () => produced);
  assert.deepEqual(await readdir(folder), [], 'nothing remains even if the process is killed');
  assert.equal(await text(reader), pieces.join(''));
  await sending;
});

test('an error before the first byte leaves the response untouched, a later one breaks it', async (t) => {
  const { space } = await scratch(t);
  const untouched = new PassThrough();
  const failing = space.response('text/plain', () => Promise.reject(new RangeError('early')));
  await assert.rejects(failing.write(untouched, quiet), RangeError);
  assert.equal(untouched.readableLength, 0);
  assert.equal(untouched.writableEnded, false);
  const half = space.response('text/plain', async (destination, signal) => {
    await writeChunk(destination, randomBytes(300_000), signal);
    throw new RangeError('late');
  });
  const broken = new PassThrough();
  broken.resume();
  await assert.rejects(half.write(broken, quiet), RangeError);
  assert.equal(broken.writableEnded, false);
});

test('memory that is held counts like what is written, until the file is closed', async (t) => {
  const { space } = await scratch(t, 1_000);
  const file = await space.file();
  await file.hold(900);
  await assert.rejects(file.hold(200), refused);
  await file.close();
  const next = await space.file();
  await next.hold(1_000);
  await next.close();
});

test('a reader that leaves stops the producer', async (t) => {
  const { space } = await scratch(t);
  const leaving = new AbortController();
  let begun = false;
  let ended = false;
  const { write } = space.response('text/plain', async (destination, signal) => {
    begun = true;
    try {
      for (;;) await writeChunk(destination, randomBytes(1_000), signal);
    } finally {
      ended = true;
    }
  });
  const sending = write(new PassThrough({ highWaterMark: 1 }), leaving.signal);
  await eventually('it produces', async () => begun);
  leaving.abort();
  await assert.rejects(sending);
  assert.equal(ended, true);
});

test('a caller holds no more than its share, and all together four shares', async (t) => {
  const { space } = await scratch(t, 100_000);
  const hold = (caller: string, bytes: number) =>
    runAsCaller(caller, async () => {
      const file = await space.file();
      await file.add(Buffer.alloc(bytes));
      await file.flush().catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      return file;
    });
  const first = await hold('a', 90_000);
  await assert.rejects(hold('a', 20_000), refused);
  const others = await Promise.all(['b', 'c', 'd'].map((caller) => hold(caller, 100_000)));
  await assert.rejects(hold('e', 20_000), refused);
  await first.close();
  await (await hold('a', 100_000)).close();
  await Promise.all(others.map((file) => file.close()));
  await (await hold('e', 100_000)).close();
});

test('long reads take at most a quarter of the connections, and one caller half of them', async (t) => {
  const { space } = await scratch(t, 1_000_000, 16);
  let running = 0;
  let most = 0;
  const gate = new PassThrough();
  const opened = buffer(gate);
  const read = (caller: string) =>
    runAsCaller(caller, () =>
      space.longRead(async () => {
        running += 1;
        most = Math.max(most, running);
        await opened;
        running -= 1;
      }),
    );
  const one = Array.from({ length: 6 }, () => read('a'));
  await eventually('they run', async () => running > 0);
  assert.equal(running, 2);
  const many = ['b', 'c', 'd', 'e', 'f'].map(read);
  gate.end();
  await Promise.all([...one, ...many]);
  assert.ok(most <= 4, String(most));
});
