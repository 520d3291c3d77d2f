import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { insertImages } from '../../testkit/images.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();
await insertImages(service.db, album, 1000);
const image = await album.upload();

const decode = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/** A response without decoding, unlike fetch. */
function wire(url: string, coding?: string): Promise<[IncomingMessage, Buffer]> {
  const headers = {
    authorization: `User ${album.token}`,
    ...(coding && { 'accept-encoding': coding }),
  };
  return new Promise((resolve, reject) => {
    get(new URL(url, service.client.base), { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve([answer, Buffer.concat(chunks)]));
      answer.on('error', reject);
    }).on('error', reject);
  });
}

const parsed = (text: Buffer): unknown => JSON.parse(text.toString());

describe('JSON', () => {
  const page = `${album.images}?page_size=60`;
  // Enough that the response is made in batches while it is sent.
  const all = `${album.images}?page_size=1000`;

  for (const [name, url] of [
    ['a page', page],
    ['a streamed list', all],
  ] as const) {
    test(`of ${name} is compressed on request, with the same content`, async () => {
      const [plain, text] = await wire(url);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.match(plain.headers.vary ?? '', /Accept-Encoding/);
      for (const coding of ['gzip', 'br'] as const) {
        const [answer, bytes] = await wire(url, coding);
        assert.equal(answer.headers['content-encoding'], coding);
        assert.match(answer.headers.vary ?? '', /Accept-Encoding/);
        assert.ok(bytes.length < text.length / 3, `${bytes.length} of ${text.length} bytes`);
        assert.deepEqual(parsed(await decode[coding](bytes)), parsed(text));
      }
    });
  }

  test('of less than a kilobyte is sent uncompressed', async () => {
    const [answer] = await wire(`${album.images}/count`, 'gzip, br');
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.ok(Number(answer.headers['content-length']) > 0);
  });
});

test('files and archives are sent uncompressed, with their length', async () => {
  for (const url of [image.org_path_url, image.path_url, image.thumb_url]) {
    const [answer, bytes] = await wire(url, 'gzip, br');
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(Number(answer.headers['content-length']), bytes.length);
  }
});
