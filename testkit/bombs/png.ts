import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG with one bit per pixel. @param rows its pixels before compression. */
function pngOf(
  header: { readonly width: number; readonly height: number; readonly interlaced?: boolean },
  rows: Buffer,
  between: readonly Buffer[] = [],
): Buffer {
  const { width, height, interlaced = false } = header;
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, Number(interlaced)]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const rest = [chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, chunk('IHDR', head), ...between, ...rest]);
}

/** A black PNG with the chunks `between` before its pixels. */
const png = (width: number, height: number, between: readonly Buffer[] = []): Buffer =>
  pngOf({ width, height }, Buffer.alloc(height * (Math.ceil(width / 8) + 1)), between);

/** A few kilobytes for any number of pixels. */
export const pngOfSize = (width = 1, height = 90_000_000): Buffer => png(width, height);

/** Millions of tiny chunks before the pixels. */
export const pngOfChunks = (count = 3_000_000): Buffer =>
  png(8, 8, Array<Buffer>(count).fill(chunk('tEXt', Buffer.from('k\0v'))));

/** Each text is inflated to `bytes` when it is read. */
export function pngOfText(count = 100, bytes = 49_000_000): Buffer {
  const text = Buffer.concat([Buffer.from('key\0\0'), deflateSync(Buffer.alloc(bytes, 'a'))]);
  return png(8, 8, Array<Buffer>(count).fill(chunk('zTXt', text)));
}

/** First column, first row, and step sizes of the seven passes of an interlaced PNG. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The size of a pass in bytes, with the filter byte before each row. */
const passBytes = (side: number, [x, y, dx, dy]: (typeof passes)[number]) =>
  Math.ceil((side - y) / dy) * (Math.ceil((side - x) / dx / 8) + 1);

/** A square black interlaced PNG: a few kilobytes for any number of pixels. */
export function pngInterlaced(side = 15_000): Buffer {
  const bytes = passes.reduce((sum, pass) => sum + passBytes(side, pass), 0);
  return pngOf({ width: side, height: side, interlaced: true }, Buffer.alloc(bytes));
}
