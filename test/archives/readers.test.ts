import assert from 'node:assert/strict';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { Zip, type ZipEntry } from '../../src/library/images/archive/zip.js';
import { archiverNames, print } from '../../testkit/archivers.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const dir = await temporaryDirectory('zip');
after(() => rm(dir, { recursive: true, force: true }));

const file = (name: string, text: string): ZipEntry => ({
  name,
  bytes: Buffer.byteLength(text),
  modified: new Date(),
  open: async () => Readable.from([Buffer.from(text)]),
});

const zeros = Buffer.alloc(2 ** 20);

/** Zeros, which take no disk space: `writeZip` leaves a hole for each megabyte. */
const hole = (name: string, megabytes: number): ZipEntry => ({
  name,
  bytes: megabytes * zeros.length,
  modified: new Date(),
  open: async () => Readable.from(Array.from({ length: megabytes }, () => zeros)),
});

/** Writes an archive as a sparse file. */
async function writeZip(path: string, files: readonly ZipEntry[]): Promise<void> {
  const zip = new Zip();
  for (const one of files) zip.add(one);
  const bytes = zip.end();
  const out = await open(path, 'w');
  let at = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const begin = at;
      at += chunk.length;
      if (chunk.buffer === zeros.buffer) done();
      else out.write(chunk, 0, chunk.length, begin).then(() => done(), done);
    },
  });
  await zip.send(sink, new AbortController().signal);
  await finished(sink);
  assert.equal(at, bytes);
  await out.close();
}

describe('a file after the first 4 GB', () => {
  const zip = join(dir, 'large.zip');
  before(() => writeZip(zip, [hole('large.bin', 5 * 1024), file('after.txt', 'behind it')]));

  for (const archiver of archiverNames) {
    test(`opens in ${archiver}`, async () => {
      assert.equal(await print(archiver, zip, 'after.txt'), 'behind it');
    });
  }
});
