import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { readZip } from '../../../../testkit/zip.js';
import { Zip, type ZipEntry } from './zip.js';

const file = (name: string, ...chunks: string[]): ZipEntry => ({
  name,
  bytes: Buffer.byteLength(chunks.join('')),
  modified: new Date('2023-11-15T07:13:20Z'),
  open: async () => Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
});

const failing = (name: string, error: Error): ZipEntry => ({
  ...file(name, 'never'),
  open: () => Promise.reject(error),
});

const zipOf = (...files: readonly ZipEntry[]) => {
  const zip = new Zip();
  for (const one of files) zip.add(one);
  return { zip, bytes: zip.end() };
};

const forEver = new AbortController().signal;

test('the length is known before anything is read, and every file is in it', async () => {
  let opened = 0;
  const counted = file('a/한강.png', 'se', 'co', 'nd');
  const open = (): Promise<Readable> => ((opened += 1), counted.open());
  const { zip, bytes } = zipOf(file('a.jpg', 'first'), file('nothing'), { ...counted, open });
  await new Promise(setImmediate);
  assert.equal(opened, 0);
  const to = new PassThrough();
  const [whole] = await Promise.all([buffer(to), zip.send(to, forEver)]);
  assert.equal(opened, 1);
  assert.equal(whole.length, bytes);
  assert.deepEqual(
    readZip(whole).map(({ name, data }) => [name, data.toString()]),
    [
      ['a.jpg', 'first'],
      ['nothing', ''],
      ['a/한강.png', 'second'],
    ],
  );
});

test('nothing is sent if the first file cannot be read; later, the rest is missing', async () => {
  const error = new Error('no such file');
  const first = new PassThrough();
  const none = zipOf(failing('a', error), file('b', 'b')).zip.send(first, forEver);
  await assert.rejects(none, error);
  assert.equal(first.readableLength, 0);
  const later = new PassThrough();
  const part = zipOf(file('a', 'a'), failing('b', error)).zip.send(later, forEver);
  await assert.rejects(part, error);
  assert.ok(later.readableLength > 0);
  assert.ok(!later.writableEnded);
});

test('a file that is shorter, or longer, than announced breaks off', async () => {
  for (const bytes of [4, 6]) {
    const to = new PassThrough();
    to.resume();
    const { zip } = zipOf({ ...file('a', 'first'), bytes }, file('b', 'second'));
    await assert.rejects(zip.send(to, forEver), /unexpected number of bytes/);
  }
});

test('whoever leaves closes the file that is being read', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024);
    })(),
  );
  const { zip } = zipOf({ ...file('a', 'a'), open: async () => endless }, file('b', 'b'));
  const leave = new AbortController();
  const to = new PassThrough({ highWaterMark: 16 });
  const sending = zip.send(to, leave.signal);
  await new Promise((resolve) => to.once('readable', resolve));
  leave.abort();
  await assert.rejects(sending, { name: 'AbortError' });
  assert.ok(endless.destroyed);
});
