import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive by name, read from its central directory (APPNOTE 4.3.12). */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'));
  assert.ok(end >= 0, 'the archive has an end record');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50);
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const title = archive.subarray(at + 46, at + 46 + (name ?? 0)).toString('utf8');
    files.set(title, content(archive, at));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

function content(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const local = archive.readUInt32LE(entry + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + archive.readUInt32LE(entry + 20));
  assert.ok(method === 0 || method === 8, `method ${method}`);
  return method === 0 ? packed : inflateRawSync(packed);
}
