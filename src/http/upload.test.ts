import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { writeHashed } from './upload.js';

const kilobyte = 1024;

async function temporary(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'write-hashed-'));
  t.after(() => rm(dir, { recursive: true }));
  return join(dir, 'file');
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

for (const [what, bytes, size] of [
  ['nothing', 0, 1],
  ['one byte', 1, 1],
  ['small chunks that do not fill the last write', 2_000 * kilobyte + 7, 60 * kilobyte],
  ['chunks that are larger than a write', 3_000 * kilobyte, 1_000 * kilobyte],
] as const) {
  test(`${what}: every byte is written and hashed in order`, async (t) => {
    const path = await temporary(t);
    const content = randomBytes(bytes);
    const written = await writeHashed(chunksOf(content, size), path, async () => undefined);
    assert.equal(written.bytes, bytes);
    assert.deepEqual(written.hash, createHash('sha256').update(content).digest());
    assert.deepEqual(await readFile(path), content);
  });
}

test('no more is read from the sender than fits into one write', async (t) => {
  const path = await temporary(t);
  let taken = 0;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunksOf(randomBytes(4_000 * kilobyte), 64 * kilobyte)) {
      taken += chunk.length;
      yield chunk;
    }
  };
  const held: number[] = [];
  let before = 0;
  await writeHashed(chunks(), path, async () => {
    held.push(taken - before);
    before = taken;
  });
  assert.ok(held.length > 1 && Math.max(...held) <= 576 * kilobyte, held.join());
});

test('a full disk aborts the write', async (t) => {
  const path = await temporary(t);
  const full = new Error('full');
  const writing = writeHashed(chunksOf(randomBytes(10), 1), path, () => Promise.reject(full));
  await assert.rejects(writing, full);
});
