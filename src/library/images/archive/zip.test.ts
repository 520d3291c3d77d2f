import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { readZip } from '../../../../testkit/zip.js';
import { ZipExtent, zipBytes } from './zip.js';
import type { ZipSource } from './zip.js';

const file = (name: string, content: Buffer): ZipSource => ({
  name,
  bytes: content.length,
  modified: 1_700_000_000,
  wallTime: '20231115_071320',
  crc32: async () => crc32(content),
  async *read(start, end) {
    yield content.subarray(start, end);
  },
});

const files = [
  file('a.jpg', Buffer.from('first')),
  file('nothing', Buffer.alloc(0)),
  file('사진.png', Buffer.from('second')),
];

async function bytesOf(start: number, end: number): Promise<Buffer> {
  const extent = new ZipExtent();
  for (const one of files) extent.add(one);
  const list = async function* () {
    yield* files;
  };
  const pieces: Buffer[] = [];
  for await (const piece of zipBytes(list, extent, start, end ?? extent.total)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const total = (() => {
  const extent = new ZipExtent();
  for (const one of files) extent.add(one);
  return extent.total;
})();

test('the extent is the length, and every file can be read', async () => {
  const whole = await bytesOf(0, total);
  assert.equal(whole.length, total);
  assert.deepEqual(
    readZip(whole).map(({ name, data }) => [name, data.toString()]),
    [
      ['a.jpg', 'first'],
      ['nothing', ''],
      ['사진.png', 'second'],
    ],
  );
});

test('any range of bytes equals that part of the whole', async () => {
  const whole = await bytesOf(0, total);
  for (let start = 0; start < total; start += 1) {
    assert.deepEqual(await bytesOf(start, total), whole.subarray(start), `from ${start}`);
    const end = Math.min(total, start + 1 + (start % 97));
    assert.deepEqual(await bytesOf(start, end), whole.subarray(start, end), `${start} to ${end}`);
  }
});
