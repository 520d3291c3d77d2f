import assert from 'node:assert/strict';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { ZipExtent, zipBytes, type ZipSource } from '../../src/library/images/archive/zip.js';
import { archiverNames, check, print } from '../../testkit/archivers.js';
import { longForm } from '../../testkit/long-form.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const dir = await temporaryDirectory('zip');
after(() => rm(dir, { recursive: true, force: true }));

const common = { modified: 1_700_000_000, wallTime: '20231115_071320' };

const file = (name: string, text: string): ZipSource => ({
  ...common,
  name,
  bytes: Buffer.byteLength(text),
  crc32: async () => crc32(text),
  async *read(start, end) {
    yield Buffer.from(text).subarray(start, end);
  },
});

const gigabyte = 2 ** 30;

/** Zeros without disk space: `writeZip` leaves a hole of 1 GB for each empty chunk. */
const hole = (name: string, gigabytes: number): ZipSource => ({
  ...common,
  name,
  bytes: gigabytes * gigabyte,
  crc32: async () => 0, // never checked
  async *read() {
    for (let left = gigabytes; left > 0; left -= 1) yield Buffer.alloc(0);
  },
});

/** Writes an archive as a sparse file. */
async function writeZip(path: string, files: readonly ZipSource[]): Promise<void> {
  const extent = new ZipExtent();
  for (const one of files) extent.add(one);
  const list = async function* () {
    yield* files;
  };
  const out = await open(path, 'w');
  let at = 0;
  let chunks: Buffer[] = [];
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(chunks);
    await out.write(bytes, 0, bytes.length, at);
    at += bytes.length;
    chunks = [];
  };
  for await (const chunk of zipBytes(list, extent, 0, extent.total)) {
    chunks.push(chunk);
    if (chunk.length > 0 && chunks.length < 1000) continue;
    await flush();
    if (chunk.length === 0) at += gigabyte;
  }
  await flush();
  assert.equal(at, extent.total);
  await out.close();
}

describe('more files than fit into a ZIP without Zip64', () => {
  const zip = join(dir, 'many.zip');
  const count = 66_000;
  before(() =>
    writeZip(
      zip,
      Array.from({ length: count }, (_, n) => file(`${n}.txt`, `text ${n}`)),
    ),
  );

  for (const archiver of archiverNames) {
    test(`open in ${archiver}`, async () => {
      if (longForm) await check(archiver, zip);
      assert.equal(await print(archiver, zip, `${count - 1}.txt`), `text ${count - 1}`);
    });
  }
});

describe('a file after the first 4 GB', () => {
  const zip = join(dir, 'large.zip');
  before(() => writeZip(zip, [hole('large.bin', 5), file('after.txt', 'behind it')]));

  for (const archiver of archiverNames) {
    test(`opens in ${archiver}`, async () => {
      assert.equal(await print(archiver, zip, 'after.txt'), 'behind it');
    });
  }
});
