import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG of one bit per pixel, all black, with `between` before its pixels. */
function png(width: number, height: number, between: readonly Buffer[] = []): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)));
  const rest = [chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, chunk('IHDR', header), ...between, ...rest]);
}

/** A few kilobytes for any number of pixels. */
export const pngOfSize = (width = 1, height = 90_000_000): Buffer => png(width, height);

/** Millions of tiny chunks before the pixels. */
export const pngOfChunks = (count = 3_000_000): Buffer =>
  png(8, 8, Array<Buffer>(count).fill(chunk('tEXt', Buffer.from('k\0v'))));

/** Each of the texts is inflated to `bytes`, for their keeping. */
export function pngOfText(count = 100, bytes = 49_000_000): Buffer {
  const text = Buffer.concat([Buffer.from('key\0\0'), deflateSync(Buffer.alloc(bytes, 'a'))]);
  return png(8, 8, Array<Buffer>(count).fill(chunk('zTXt', text)));
}
