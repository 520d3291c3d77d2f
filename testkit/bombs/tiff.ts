const shortType = 3;
const longType = 4;
type Entry = readonly [tag: number, type: number, count: number, value: number];

const entryBytes = 12;

/** A little-endian directory of a gray 1 × 1 image, with the entries of `own` as overrides. */
function directory(next: number, own: readonly Entry[] = []): Buffer {
  const entries = new Map<number, Entry>();
  const usual: readonly Entry[] = [
    [256, longType, 1, 1],
    [257, longType, 1, 1],
    [258, shortType, 1, 8],
    [259, shortType, 1, 1],
    [262, shortType, 1, 1],
    [273, longType, 1, 8],
    [277, shortType, 1, 1],
    [278, longType, 1, 1],
    [279, longType, 1, 1],
  ];
  for (const entry of [...usual, ...own]) entries.set(entry[0], entry);
  const out = Buffer.alloc(2 + entries.size * entryBytes + 4);
  out.writeUInt16LE(entries.size, 0);
  [...entries.values()]
    .sort((a, b) => a[0] - b[0])
    .forEach(([tag, type, count, value], i) => {
      const at = 2 + i * entryBytes;
      out.writeUInt16LE(tag, at);
      out.writeUInt16LE(type, at + 2);
      out.writeUInt32LE(count, at + 4);
      out.writeUInt32LE(value, at + 8);
    });
  out.writeUInt32LE(next, out.length - 4);
  return out;
}

const first = 10;
const file = (directories: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('II*\0\x0a\0\0\0\0\0', 'latin1'), ...directories]);

/** Many pages, each a 1 × 1 image. */
export function tiffOfDirectories(count = 400_000): Buffer {
  const size = directory(0).length;
  return file(
    Array.from({ length: count }, (_, i) => directory(i + 1 < count ? first + (i + 1) * size : 0)),
  );
}

const sized = (own: readonly Entry[]): Buffer => file([directory(0, own)]);

/** A 1 × 1 image in one tile of this side length. */
export const tiffOfTile = (side = 32_768): Buffer =>
  sized([
    [322, longType, 1, side],
    [323, longType, 1, side],
    [324, longType, 1, 8],
    [325, longType, 1, 1],
  ]);

/** Pixels with very many samples. */
export const tiffOfSamples = (samples = 60_000, side = 2_000): Buffer =>
  sized([
    [256, longType, 1, side],
    [257, longType, 1, side],
    [277, shortType, 1, samples],
    [278, longType, 1, side],
  ]);
