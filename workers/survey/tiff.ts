import type { FileBytes } from './file-bytes.js';
import { rowBytes } from './memory.js';
import { corrupt, counter, type Structure, tooComplex, unsupported } from './structure.js';
import { type Directory, TiffFile } from './tiff-file.js';

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const STRIPS = 273;
const SAMPLES = 277;
const ROWS_PER_STRIP = 278;
const PLANES = 284;
const TILE_WIDTH = 322;
const TILE_HEIGHT = 323;
const TILES = 324;

const PALETTE = 3;
const CMYK = 5;
const SEPARATE = 2;
const JPEG = 7;
const WEBP = 50001;

/** 100 megapixels in tiles of 16 × 16, and more. */
const MAX_PIECES = 1_000_000;
const MAX_ENTRIES = 200_000;
const MAX_SAMPLES = 64;
const MAX_BITS = 32;
/** Tiles overhang, and those of a small picture may be much larger than it. */
const MAX_TILED_PER_SHOWN = 4;
const FREE_PIXELS = 64e6;
/** Longer strips are read row by row, where the coding allows it. */
const ROWS_AT_ONCE = 128;

// What libtiff as it comes with sharp decodes: none, CCITT, LZW, JPEG, Deflate, NeXT, PackBits,
// ThunderScan, SGI LogLuv, WebP. Old-style JPEG (6), JBIG, LZMA, LERC, Zstandard and more are not there.
const decoded = new Set([
  ...[1, 2, 3, 4, 5, JPEG, 8, 32766, 32771, 32773, 32809, 32946, 34676, 34677, WEBP],
]);

/** Follows the chain of pages, which the decoder does to count them; only the first is shown. */
function walk(file: TiffFile, first: Directory, fileBytes: number): void {
  const countPage = counter('TIFF pages');
  const seen = new Set<number>([file.first]);
  let { entries, valueBytes } = first;
  for (let at = first.next; at !== 0 && !seen.has(at);) {
    countPage();
    seen.add(at);
    const page = file.directory(at);
    if (page === undefined) break;
    entries += page.entries;
    valueBytes += page.valueBytes;
    if (entries > MAX_ENTRIES) throw tooComplex(`TIFF with more than ${MAX_ENTRIES} entries`);
    // Values that pages share would be read anew for each of them.
    if (valueBytes > 2 * fileBytes) throw tooComplex('TIFF whose pages share large values');
    at = page.next;
  }
}

/**
 * Reads the first page and walks the others.
 *
 * @throws Refused
 */
export function surveyTiff(bytes: FileBytes): Structure {
  const file = new TiffFile(bytes);
  const page = file.directory(file.first);
  const [width, height] = [page?.first(WIDTH) ?? 0, page?.first(HEIGHT) ?? 0];
  if (page === undefined || width === 0 || height === 0) throw corrupt('TIFF without a picture');
  walk(file, page, bytes.size);
  const compression = page.first(COMPRESSION) ?? 1;
  if (!decoded.has(compression)) throw unsupported(`TIFF of compression ${compression}`);
  const [bits, samples] = [page.first(BITS) ?? 1, page.first(SAMPLES) ?? 1];
  if (bits > MAX_BITS) throw unsupported(`TIFF of ${bits} bits a sample`);
  if (samples > MAX_SAMPLES) throw tooComplex(`TIFF of ${samples} samples a pixel`);
  const pieces = Math.max(page.count(STRIPS), page.count(TILES));
  if (pieces > MAX_PIECES) throw tooComplex(`TIFF in ${pieces} pieces`);
  const pixelBytes = page.first(PHOTOMETRIC) === PALETTE ? 3 : samples * Math.ceil(bits / 8);
  const pieceBytes = pixelBytes * piecePixels(page, width, height);
  return {
    ...{ format: 'tiff', width, height },
    decoderBytes: rowBytes(width, height, pixelBytes) + 2 * pieceBytes + bytes.size / (pieces || 1),
  };
}

/** Pixels that are decoded at once: a row of tiles, a strip, or some rows of it. */
function piecePixels(page: Directory, width: number, height: number): number {
  const [tileWidth, tileHeight] = [page.first(TILE_WIDTH), page.first(TILE_HEIGHT)];
  if (tileWidth && tileHeight) {
    const [across, down] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)];
    const tiled = across * down * tileWidth * tileHeight;
    if (tiled > MAX_TILED_PER_SHOWN * width * height + FREE_PIXELS) {
      throw tooComplex(`TIFF whose tiles have ${tiled} pixels`);
    }
    return across * tileWidth * tileHeight;
  }
  const rows = Math.min(height, page.first(ROWS_PER_STRIP) ?? height);
  return width * (readByRows(page) ? Math.min(rows, ROWS_AT_ONCE) : rows);
}

/** Whether libvips reads long strips row by row. */
function readByRows(page: Directory): boolean {
  const coding = page.first(COMPRESSION) ?? 1;
  const colours = page.first(PHOTOMETRIC) ?? 0;
  return page.first(PLANES) !== SEPARATE && colours <= CMYK && ![JPEG, WEBP].includes(coding);
}
