import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer;
}

/** Reads a ZIP by its central directory (APPNOTE 4.3), checking sizes and checksums. */
export function readZip(zip: Buffer): ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  assert.ok(end >= 0, 'no end of central directory');
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((o) =>
      zip.readUInt16LE(at + o),
    );
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    entries.push({ name, data: dataOf(zip, at) });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

/** The files of a ZIP by name. */
export const unzip = (zip: Buffer): Map<string, Buffer> =>
  new Map(readZip(zip).map(({ name, data }) => [name, data]));

function dataOf(zip: Buffer, at: number): Buffer {
  const method = zip.readUInt16LE(at + 10);
  const local = zip.readUInt32LE(at + 42);
  assert.equal(zip.readUInt32LE(local), 0x04034b50);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
  const data = method === 0 ? packed : inflateRawSync(packed);
  assert.equal(data.length, zip.readUInt32LE(at + 24));
  assert.equal(crc32(data), zip.readUInt32LE(at + 16));
  return data;
}
