/** Bytes of the header of version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
const headerBytes = 127;

const uncompressed = 1;

/** A number as the format writes it: seven bits in each byte, the lowest first. */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** A PMTiles archive of a single tile, a PNG of the whole world. */
export function pmtilesFile(tile: Buffer): Buffer {
  // One entry: the first tile, once, this long, at the beginning of the tiles (0 means "after the last").
  const directory = Buffer.from([1, 0, 1, tile.length, 1].flatMap(varint));
  const metadata = Buffer.from('{}');
  const header = Buffer.alloc(headerBytes);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  let at = headerBytes;
  const parts = [directory, metadata, Buffer.alloc(0), tile];
  for (const [index, { length }] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index);
    at += length;
  }
  // Addressed tiles, entries, and contents.
  for (const offset of [72, 80, 88]) header.writeBigUInt64LE(1n, offset);
  const png = 2;
  for (const [index, value] of [1, uncompressed, uncompressed, png, 0, 0].entries()) {
    header.writeUInt8(value, 96 + index);
  }
  const world = [-180, -85, 180, 85];
  for (const [index, degrees] of world.entries()) {
    header.writeInt32LE(degrees * 10_000_000, 102 + 4 * index);
  }
  return Buffer.concat([header, ...parts]);
}
