const shortType = 3;
const longType = 4;
const headerBytes = 8;

/** Compressions of TIFF. */
export const oldJpegScheme = 6;
export const jpegScheme = 7;

/** A TIFF of one square tile: a color JPEG with halved chroma, declared as this compression. */
export function tiledTiff(jpeg: Buffer, side: number, compression: number): Buffer {
  const entries = 14;
  const bitsAt = headerBytes + 2 + entries * 12 + 4;
  const jpegAt = bitsAt + 6;
  // tag, type, count, value; two SHORTs share a word
  const values: [number, number, number, number][] = [
    [256, longType, 1, side],
    [257, longType, 1, side],
    [258, shortType, 3, bitsAt],
    [259, shortType, 1, compression],
    [262, shortType, 1, 6],
    [277, shortType, 1, 3],
    [284, shortType, 1, 1],
    [322, longType, 1, side],
    [323, longType, 1, side],
    [324, longType, 1, jpegAt],
    [325, longType, 1, jpeg.length],
    [513, longType, 1, jpegAt],
    [514, longType, 1, jpeg.length],
    [530, shortType, 2, 0x0002_0002],
  ];
  const head = Buffer.alloc(jpegAt);
  head.write('II*\0\x08\0\0\0', 'latin1');
  head.writeUInt16LE(entries, headerBytes);
  values.forEach(([tag, type, count, value], i) => {
    const at = headerBytes + 2 + i * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
  });
  for (let i = 0; i < 3; i++) head.writeUInt16LE(8, bitsAt + 2 * i);
  return Buffer.concat([head, jpeg]);
}
