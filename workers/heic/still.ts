/** What is needed of a HEIC file to decode it tile by tile: its structure, and the coded data. */
import type { Coding, Size } from '../../src/imaging/ffmpeg.js';
import {
  type Box,
  canvasOf,
  colourCodesIn,
  type Extent,
  type HeifItem,
  heifItems,
  propertyOf,
  sizeOf,
} from '../inspect/isobmff.js';
import type { FileBytes } from '../source.js';
import { HeifCost } from '../inspect/heif.js';

interface HevcTile {
  /** The box with the decoder configuration. */
  readonly config: Box;
  readonly extents: readonly Extent[];
}

/** The structure of an image: tiles of one size, in rows from the top left, or just one tile. */
export interface HevcStill extends Size {
  readonly columns: number;
  readonly tileSize: Size;
  readonly tiles: readonly HevcTile[];
  /** Number of counterclockwise 90° rotations of the whole image. */
  readonly quarterTurns: number;
  /** Undefined if only the coded data specifies them. */
  readonly coding: Coding | undefined;
}

/** Properties that do not affect the pixels, or are handled here. */
const ofTiles = ['hvcC', 'ispe', 'colr', 'pixi', 'pasp', 'clli', 'mdcv', 'free'];
const ofImages = [...ofTiles, 'irot'];
const has = (item: HeifItem, only: readonly string[]): boolean =>
  item.properties.every(({ type }) => only.includes(type));

const sameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

const codingOf = (bytes: FileBytes, { properties }: HeifItem): Coding | undefined =>
  properties.map((box) => colourCodesIn(bytes, box)).find((codes) => codes !== undefined);

/**
 * Reads the structure of the primary image of a HEIC file.
 *
 * @returns undefined unless it has the form that phones write: 8 bits, a tile or a grid of equal
 *   tiles, neither cropped nor mirrored, without alpha.
 * @throws Refused, as the inspection does.
 */
export function readHevcStill(bytes: FileBytes): HevcStill | undefined {
  const items = heifItems(bytes);
  if (!items) return undefined;
  const cost = new HeifCost(bytes, items).of(items.primary);
  const primary = items.get(items.primary);
  if (!primary || cost.coding !== 'hvc1' || cost.alphaPixels > 0 || cost.sampleBytes > 1) {
    return undefined;
  }
  const ids = primary.type === 'grid' ? primary.derivedFrom : [items.primary];
  const parts = ids.map((id) => items.get(id)).filter((item) => item !== undefined);
  const [first] = parts;
  const grid = primary.type === 'grid' ? canvasOf(bytes, primary) : { columns: 1, rows: 1 };
  const { columns, rows } = grid ?? { columns: 0, rows: 0 };
  if (!first || parts.length !== columns * rows || !has(primary, ofImages)) return undefined;
  const [size, tileSize] = [sizeOf(bytes, primary), sizeOf(bytes, first)];
  const covered = tileSize.width * columns >= size.width && tileSize.height * rows >= size.height;
  // With odd tile sizes, a tile's chroma would begin in the middle of a sample.
  const even = parts.length === 1 || (tileSize.width % 2 === 0 && tileSize.height % 2 === 0);
  // The cost has the size of the canvas, which the declared size may not cover.
  if (!covered || !even || !sameSize(size, cost)) return undefined;
  const tiles: HevcTile[] = [];
  for (const part of parts) {
    const config = propertyOf(part, 'hvcC');
    const plain = part === primary || (part.type === 'hvc1' && has(part, ofTiles));
    if (!config || !plain || !sameSize(sizeOf(bytes, part), tileSize)) return undefined;
    tiles.push({ config, extents: part.extents });
  }
  const turn = propertyOf(primary, 'irot');
  return {
    ...size,
    columns,
    tileSize,
    tiles,
    quarterTurns: ((turn && bytes.at(turn.start, 1))?.[0] ?? 0) & 3,
    coding: codingOf(bytes, first) ?? codingOf(bytes, primary),
  };
}

const startCode = Buffer.from([0, 0, 0, 1]);
const lengthSizeAt = 21;
const lengthBytes = 4;
const arraysAt = 22;

/** The parameter sets in an `hvcC` box, each after a start code. */
function parameterSets(config: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = arraysAt;
  for (let arrays = config.readUInt8(at++); arrays > 0; arrays--) {
    let units = config.readUInt16BE(at + 1);
    for (at += 3; units > 0; units--) {
      const end = at + 2 + config.readUInt16BE(at);
      found.push(startCode, config.subarray(at + 2, end));
      at = end;
    }
  }
  return found;
}

/**
 * The coded data of a tile in the form for decoders: preceded by its parameter sets, and with start
 * codes in place of lengths.
 *
 * @throws Error if data is missing, or its lengths do not have the usual size.
 */
export function annexB(file: Buffer, { config, extents }: HevcTile): Buffer {
  const coding = file.subarray(config.start, config.end);
  if ((coding.readUInt8(lengthSizeAt) & 3) + 1 !== lengthBytes) throw new Error('short lengths');
  const sets = parameterSets(coding);
  // A length of 0 means up to the end of the file.
  const data = extents.map(({ offset, length }) =>
    file.subarray(offset, length === 0 ? undefined : offset + length),
  );
  const picture = Buffer.concat([...sets, ...data]);
  let at = sets.reduce((sum, { length }) => sum + length, 0);
  while (at < picture.length) {
    const length = picture.readUInt32BE(at);
    startCode.copy(picture, at);
    at += lengthBytes + length;
  }
  if (at > picture.length) throw new Error('truncated data');
  return picture;
}
