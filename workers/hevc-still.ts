import { type Box, boxesIn } from './inspect/boxes.js';
import type { FileBytes } from './inspect/file-bytes.js';
import { HeifCost } from './inspect/heif-cost.js';
import { type HeifItem, HeifItems } from './inspect/heif-items.js';
import { type Extent, ItemBytes } from './inspect/item-bytes.js';
import type { Colours, Size } from './hevc-decoder.js';

export interface HevcTile {
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
  readonly colours: Colours | undefined;
}

/** Properties that do not affect the pixels, or are handled here. */
const ofTiles = ['hvcC', 'ispe', 'colr', 'pixi', 'pasp', 'clli', 'mdcv', 'free'];
const ofImages = [...ofTiles, 'irot'];
const fullRangeBit = 0x80;
const nclxBytes = 11;

const find = (item: HeifItem, type: string): Box | undefined =>
  item.properties.find((property) => property.type === type);

const has = (item: HeifItem, only: readonly string[]): boolean =>
  item.properties.every(({ type }) => only.includes(type));

const sameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

function sizeOf(bytes: FileBytes, item: HeifItem): Size {
  const box = find(item, 'ispe');
  const size = box && bytes.at(box.start + 4, 8);
  return { width: size?.readUInt32BE(0) ?? 0, height: size?.readUInt32BE(4) ?? 0 };
}

function coloursOf(bytes: FileBytes, item: HeifItem): Colours | undefined {
  for (const { type, start } of item.properties) {
    const colr = type === 'colr' ? bytes.at(start, nclxBytes) : undefined;
    if (colr?.toString('latin1', 0, 4) !== 'nclx') continue;
    return { matrix: colr.readUInt16BE(8), fullRange: ((colr[10] ?? 0) & fullRangeBit) !== 0 };
  }
  return undefined;
}

/** @returns columns and rows. */
function gridOf(bytes: FileBytes, item: HeifItem): [number, number] {
  if (item.type !== 'grid') return [1, 1];
  // Version, flags, then rows and columns less one.
  const head = new ItemBytes(bytes, item.extents).at(0, 4);
  return head ? [(head[3] ?? 0) + 1, (head[2] ?? 0) + 1] : [0, 0];
}

/**
 * Reads the structure of the primary image of a HEIC file.
 *
 * @returns undefined unless it has the form that phones write: 8 bits, a tile or a grid of equal
 *   tiles, neither cropped nor mirrored, without alpha.
 * @throws Refused, as the inspection does.
 */
export function readHevcStill(bytes: FileBytes): HevcStill | undefined {
  const meta = boxesIn(bytes, 0, bytes.size).find(({ type }) => type === 'meta');
  if (!meta) return undefined;
  const items = new HeifItems(bytes, meta);
  const cost = new HeifCost(bytes, items).of(items.primary);
  const primary = items.get(items.primary);
  if (!primary || cost.coding !== 'hvc1' || cost.alphaPixels > 0 || cost.sampleBytes > 1) {
    return undefined;
  }
  const ids = primary.type === 'grid' ? primary.derivedFrom : [items.primary];
  const parts = ids.map((id) => items.get(id)).filter((item) => item !== undefined);
  const [first] = parts;
  const [columns, rows] = gridOf(bytes, primary);
  if (!first || parts.length !== columns * rows || !has(primary, ofImages)) return undefined;
  const [size, tileSize] = [sizeOf(bytes, primary), sizeOf(bytes, first)];
  const covered = tileSize.width * columns >= size.width && tileSize.height * rows >= size.height;
  // With odd tile sizes, a tile's chroma would begin in the middle of a sample.
  const even = parts.length === 1 || (tileSize.width % 2 === 0 && tileSize.height % 2 === 0);
  // The cost has the size of the canvas, which the declared size may not cover.
  if (!covered || !even || !sameSize(size, cost)) return undefined;
  const tiles: HevcTile[] = [];
  for (const part of parts) {
    const config = find(part, 'hvcC');
    const plain = part === primary || (part.type === 'hvc1' && has(part, ofTiles));
    if (!config || !plain || !sameSize(sizeOf(bytes, part), tileSize)) return undefined;
    tiles.push({ config, extents: part.extents });
  }
  const turn = find(primary, 'irot');
  return {
    ...size,
    columns,
    tileSize,
    tiles,
    quarterTurns: ((turn && bytes.at(turn.start, 1))?.[0] ?? 0) & 3,
    colours: coloursOf(bytes, first) ?? coloursOf(bytes, primary),
  };
}
