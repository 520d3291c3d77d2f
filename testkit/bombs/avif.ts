import { box, heifFile, type Item, size } from './heif-file.js';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** Gray squares as AV1, with their configuration properties. */
const tiles = {
  64: {
    configuration: hex('81000c00'),
    data: hex('12000a0918157ffdb2021a0d0832111ff7878515c0002c00000097bf3d90dcc0'),
  },
  4096: {
    configuration: hex('81100c00'),
    data: hex(
      '12000a0b1c2effffffdb2021a0d0803276183fde1e14570000b0000080003397bf2c92256a1202e8ea3ab6c052a9d9a464f238d82f644c903a7062d059eae0ec77a0fcdd59c77624a94a5294a5294a5294a52a97bf2c92256a1202e8ea3ab6c052a9d9a464f238d82f644c903a7062d059eae0ec77a0fcdd59c77624a94a5294a5294a5294a52a',
    ),
  },
} as const;

const depth = box('pixi', Buffer.from([0, 0, 0, 0, 3, 8, 8, 8]));

const tile = (side: 64 | 4096, declared: number = side): Item => ({
  type: 'av01',
  properties: [size(declared), depth, box('av1C', tiles[side].configuration)],
  data: tiles[side].data,
});

function grid(columns: number, shown: number, of: number): Item {
  const data = Buffer.from([0, 1, columns - 1, columns - 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  data.writeUInt32BE(shown, 4);
  data.writeUInt32BE(shown, 8);
  const derivedFrom = Array<number>(columns ** 2).fill(of);
  return { type: 'grid', properties: [size(shown), depth], data, derivedFrom };
}

/** A grid of 16 × 16 references to one tile of 4096 × 4096: two kilobytes. */
export const avifOfGrid = (columns = 16, shown = 9_000): Buffer =>
  heifFile([grid(columns, shown, 2), tile(4096)]);

/** Grids of grids of grids of one tile of 64 × 64. */
export const avifOfGrids = (columns = 16, levels = 3): Buffer =>
  heifFile([...Array.from({ length: levels }, (_, i) => grid(columns, 64, i + 2)), tile(64)]);

/** An image of 4096 × 4096 that claims to be 64 × 64. */
export const avifThatLies = (): Buffer => heifFile([tile(4096, 64)]);

/** The same frame of 4096 × 4096 over and over in one image. */
export function avifOfFrames(frames = 1_000): Buffer {
  const one = tile(4096);
  return heifFile([{ ...one, data: Buffer.alloc(one.data.length * frames, one.data) }]);
}
