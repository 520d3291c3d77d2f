const SHORT = 3;
const LONG = 4;
const HEADER_BYTES = 8;

/** Compressions of TIFF. */
export const OLD_JPEG = 6;
export const JPEG = 7;

/** A TIFF of one square tile: a colour JPEG with halved chroma, said to be of this compression. */
export function tiledTiff(jpeg: Buffer, side: number, compression: number): Buffer {
  const entries = 14;
  const bitsAt = HEADER_BYTES + 2 + entries * 12 + 4;
  const jpegAt = bitsAt + 6;
  // tag, type, count, value; two SHORTs share a word
  const values: [number, number, number, number][] = [
    [256, LONG, 1, side],
    [257, LONG, 1, side],
    [258, SHORT, 3, bitsAt],
    [259, SHORT, 1, compression],
    [262, SHORT, 1, 6],
    [277, SHORT, 1, 3],
    [284, SHORT, 1, 1],
    [322, LONG, 1, side],
    [323, LONG, 1, side],
    [324, LONG, 1, jpegAt],
    [325, LONG, 1, jpeg.length],
    [513, LONG, 1, jpegAt],
    [514, LONG, 1, jpeg.length],
    [530, SHORT, 2, 0x0002_0002],
  ];
  const head = Buffer.alloc(jpegAt);
  head.write('II*\0\x08\0\0\0', 'latin1');
  head.writeUInt16LE(entries, HEADER_BYTES);
  values.forEach(([tag, type, count, value], i) => {
    const at = HEADER_BYTES + 2 + i * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
  });
  for (let i = 0; i < 3; i++) head.writeUInt16LE(8, bitsAt + 2 * i);
  return Buffer.concat([head, jpeg]);
}
