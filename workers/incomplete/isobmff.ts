import { readFile } from 'node:fs/promises';
import { FileBytes, withBytes } from '../source.js';
import { boxesIn, type HeifItem } from '../inspect/isobmff.js';
import type { Pixels } from '../pixels.js';
import { isCorrupt } from '../refused.js';
import {
  paint,
  type Open,
  type Opened,
  type Salvaged,
  type Salvager,
  twoFillings,
} from './salvage.js';
import { alone, endOf, isUniform, mark, type Still, stillOf, type Tile } from './tiles.js';

/** Top-level box types of such files; any other type is garbage after the end. */
const boxes = new Set(['ftyp', 'meta', 'mdat', 'moov', 'moof', 'free', 'skip', 'wide', 'uuid']);
/** Files with a smaller available part are not filled in. */
const minPart = 1 / 8;
/** Tiles that are decoded again; more are not left blank by accident. */
const maxSuspects = 512;

/** The end of the file according to its boxes. */
function declaredEnd(bytes: FileBytes): number {
  const found = boxesIn(bytes, 0, Infinity);
  // Without an end of its own: up to the end of the file.
  const other = found.findIndex(({ type, end }) => !boxes.has(type) || end === Infinity);
  const own = other < 0 ? found : found.slice(0, other);
  return Math.max(own.at(-1)?.end ?? 0, bytes.size);
}

const itemsOf = ({ primary, tiles }: Still): HeifItem[] =>
  tiles.length > 0 ? tiles.map(({ item }) => item) : [primary];

/** Where the file ends, according to its boxes and the data of its image. */
const wholeEnd = (bytes: FileBytes, still: Still | undefined): number =>
  Math.max(
    declaredEnd(bytes),
    ...(still ? itemsOf(still).map(({ extents }) => endOf(extents)) : []),
  );

/** Tiles that libheif may have left blank: it does not say so. A reason to ask it, no more. */
const suspects = (pixels: Pixels, { tiles }: Still): Tile[] =>
  pixels.whole ? [] : tiles.filter(({ area }) => isUniform(pixels, area)).slice(0, maxSuspects);

/** Whether a tile cannot be decoded. */
const isLost = (file: Buffer, { item }: Tile, open: Open): Promise<boolean> =>
  open(alone(file, item)).then(
    () => false,
    (error: unknown) => {
      if (isCorrupt(error)) return true;
      throw error;
    },
  );

async function withoutLostTiles(
  file: Buffer,
  still: Still,
  { header, pixels }: Opened,
  open: Open,
): Promise<Salvaged> {
  const lost = new Set(still.tiles.filter(({ item }) => endOf(item.extents) > file.length));
  for (const tile of suspects(pixels, still)) {
    if (!lost.has(tile) && (await isLost(file, tile, open))) lost.add(tile);
  }
  const mask = new Uint8Array(pixels.width * pixels.height);
  for (const { area } of lost) mark(mask, pixels, area);
  paint(pixels, (pixel) => mask[pixel] === 1);
  const missing = mask.reduce((sum, value) => sum + value, 0) / mask.length;
  return { header, pixels, missing, incomplete: lost.size > 0 };
}

/**
 * HEIC and AVIF. Of a grid, tiles are missing whose data ends after the file, or that the decoder
 * refuses; other truncated images are filled in.
 */
export const isobmff: Salvager = {
  isTruncated(path, { pixels }) {
    const doubtful = withBytes(path, (bytes) => {
      const still = stillOf(bytes);
      return (
        wholeEnd(bytes, still) > bytes.size ||
        (still && suspects(pixels, still).length > 0) === true
      );
    });
    return Promise.resolve(doubtful);
  },
  async salvage(path, open, opened) {
    const file = await readFile(path);
    const bytes = new FileBytes(file, file.length);
    const still = stillOf(bytes);
    const end = wholeEnd(bytes, still);
    if (file.length < end * minPart) return undefined;
    const lacking = end - file.length;
    if (still && still.tiles.length > 0) {
      const filled = lacking > 0 ? Buffer.concat([file], end) : path;
      const shown = lacking === 0 && opened ? opened : await open(filled);
      const salvaged = await withoutLostTiles(file, still, shown, open);
      return { ...salvaged, incomplete: lacking > 0 || salvaged.incomplete === true };
    }
    if (lacking === 0) return undefined;
    const salvaged = await twoFillings((fill) => Buffer.concat([file, fill(lacking)]), open);
    if (salvaged.missing > 0 || !still) return salvaged;
    // The decoder stopped before the filling: only the file says how much it had.
    const { offset, length } = still.primary.extents.at(-1) ?? { offset: 0, length: 0 };
    const available = length > 0 ? Math.min(1, (file.length - offset) / length) : 1;
    return { ...salvaged, missing: 1 - Math.max(0, available) };
  },
};
