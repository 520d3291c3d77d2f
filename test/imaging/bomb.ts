import { crc32, deflateSync } from 'node:zlib';

/** First column and row, and steps between them, of the seven passes of an interlaced PNG. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Bytes of a pass, with the byte before each row that names its filter. */
const passBytes = (side: number, [x, y, dx, dy]: readonly [number, number, number, number]) =>
  Math.ceil((side - y) / dy) * (Math.ceil((side - x) / dx / 8) + 1);

/** A PNG of one bit per pixel, all black: a few kilobytes for any number of pixels. */
export function bomb(side: number, { interlaced = false } = {}): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, Number(interlaced)]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const rounds = interlaced ? passes : ([[0, 0, 1, 1]] as const);
  const bytes = rounds.reduce((sum, pass) => sum + passBytes(side, pass), 0);
  const pixels = deflateSync(Buffer.alloc(bytes));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))],
  ]);
}
