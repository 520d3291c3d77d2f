import { type Directory, TiffFile, tiffTag } from '../../src/imaging/tiff-directory.js';
import type { FileBytes } from '../source.js';
import {
  rowBytes,
  corrupt,
  counter,
  type Structure,
  tooComplex,
  unsupported,
} from './structure.js';

const palette = 3;
const cmyk = 5;
const cieLab = 8;
/** Encodings of CIELAB that libtiff shows in wrong colors. */
const otherLabs = [9, 10];
const rgb = 2;
const ycc = 6;
const separatePlanes = 2;
const jpegScheme = 7;
const webpScheme = 50001;

/** More than enough for 100 megapixels in tiles of 16 × 16. */
const maxSegments = 1_000_000;
const maxEntries = 200_000;
const maxSamples = 64;
/** Tiles overhang, and those of a small image may be much larger than it. */
const maxTiledPerShown = 4;
const freePixels = 64e6;
/** Longer strips are read row by row, if the coding allows it. */
const rowsAtOnce = 128;

// Supported by the libtiff that ships with sharp: none, CCITT, LZW, JPEG, Deflate, NeXT, PackBits,
// ThunderScan, SGI LogLuv, WebP. Old-style JPEG (6), JBIG, LZMA, LERC, Zstandard, and others are
// not.
const decoded = new Set([
  1,
  2,
  3,
  4,
  5,
  jpegScheme,
  8,
  32766,
  32771,
  32773,
  32809,
  32946,
  34676,
  34677,
  webpScheme,
]);

/** Photometric interpretations of sensor data: color filter array, and linear raw. */
const sensorColours = [32803, 34892];
const maxSubDirectories = 16;

/**
 * Whether it is a camera's raw file, whose first directory holds a small preview: it says so itself,
 * or a directory below the first one is of sensor data or larger.
 */
function isRaw(bytes: FileBytes, file: TiffFile, page: Directory): boolean {
  // What Canon and Phase One put behind the header.
  const mark = bytes.at(8, 4)?.toString('latin1') ?? '';
  if (/^(?:CR|IIII|MMMM)/.test(mark)) return true;
  if (page.first(tiffTag.dngVersion) !== undefined) return true;
  const pixelsOf = (directory: Directory): number =>
    (directory.first(tiffTag.imageWidth) ?? 0) * (directory.first(tiffTag.imageLength) ?? 0);
  const isSensor = (directory: Directory): boolean =>
    sensorColours.includes(directory.first(tiffTag.photometric) ?? 0);
  if (isSensor(page)) return true;
  const count = Math.min(page.count(tiffTag.subDirectories), maxSubDirectories);
  return Array.from({ length: count }, (_, i) => page.nth(tiffTag.subDirectories, i)).some((at) => {
    const below = at === undefined ? undefined : file.directory(at);
    return below !== undefined && (isSensor(below) || pixelsOf(below) > pixelsOf(page));
  });
}

/** Depths, by the format of samples, that libvips decodes in every combination that it accepts. */
const depths = new Map([
  [1, [1, 2, 4, 8, 16]],
  [3, [32]],
  // Undefined, that is, whole numbers.
  [4, [8, 16]],
]);

/** What a TIFF says of its samples that libvips does not heed. */
export interface Samples {
  /** Whether the one after those of the colors is something else than alpha. */
  readonly isOpaque: boolean;
  /** Whether they are luma and two color differences, which libtiff converts only from JPEG. */
  readonly isYcc: boolean;
}

export function samplesOf(bytes: FileBytes): Samples {
  const file = new TiffFile(bytes);
  const page = file.directory(file.first);
  return page ? samplesIn(page) : { isOpaque: false, isYcc: false };
}

function samplesIn(page: Directory): Samples {
  const subsampling = [0, 1].map((i) => page.nth(tiffTag.subsampling, i));
  return {
    isOpaque: page.first(tiffTag.extraSamples) === 0,
    isYcc:
      page.first(tiffTag.photometric) === ycc &&
      page.first(tiffTag.compression) !== jpegScheme &&
      subsampling.every((factor) => factor === 1),
  };
}

/** @throws Refused for samples that libvips lacks, or shows in wrong colors. */
function checkSamples(page: Directory, bits: number, samples: number): void {
  const format = page.first(tiffTag.sampleFormat) ?? 1;
  const photometric = page.first(tiffTag.photometric);
  // Signed numbers or floating point, which libvips reads.
  if (photometric === cieLab) return;
  const coloured = photometric === rgb;
  const known = depths.get(format)?.includes(bits) && (format !== 3 || (coloured && samples >= 3));
  // Only grey and palettes have less than a byte.
  if (!known || (bits < 8 && samples > 1)) {
    throw unsupported(`TIFF of ${samples} samples of ${bits} bits, format ${format}`);
  }
}

/** Follows the chain of pages, as the decoder does to count them; only the first is shown. */
function readOtherPages(file: TiffFile, first: Directory, fileBytes: number): void {
  const countPage = counter('TIFF pages');
  const seen = new Set<number>([file.first]);
  let { entries, valueBytes } = first;
  for (let at = first.next; at !== 0 && !seen.has(at);) {
    countPage();
    seen.add(at);
    const page = file.directory(at);
    if (!page?.isWhole) break;
    entries += page.entries;
    valueBytes += page.valueBytes;
    if (entries > maxEntries) throw tooComplex(`TIFF with more than ${maxEntries} entries`);
    // Values shared by pages would be read once per page.
    if (valueBytes > 2 * fileBytes) throw tooComplex('TIFF whose pages share large values');
    at = page.next;
  }
}

/**
 * Reads the first page and then the others.
 *
 * @throws Refused
 */
export function inspectTiff(bytes: FileBytes): Structure {
  const file = new TiffFile(bytes);
  const page = file.directory(file.first);
  const [width, height] = [
    page?.first(tiffTag.imageWidth) ?? 0,
    page?.first(tiffTag.imageLength) ?? 0,
  ];
  if (!page?.isWhole || width === 0 || height === 0) throw corrupt('TIFF without a picture');
  readOtherPages(file, page, bytes.size);
  if (isRaw(bytes, file, page)) throw unsupported('raw file of a camera');
  const compression = page.first(tiffTag.compression) ?? 1;
  if (!decoded.has(compression)) throw unsupported(`TIFF of compression ${compression}`);
  const [bits, samples] = [
    page.first(tiffTag.bitsPerSample) ?? 1,
    page.first(tiffTag.samplesPerPixel) ?? 1,
  ];
  const photometric = page.first(tiffTag.photometric) ?? 0;
  if (otherLabs.includes(photometric)) throw unsupported(`TIFF of colors ${photometric}`);
  const isTiled = page.count(tiffTag.tileOffsets) > 0;
  if (isTiled && page.first(tiffTag.planarConfiguration) === separatePlanes && samples > 1) {
    throw unsupported('TIFF of planes in tiles');
  }
  if (samples > maxSamples) throw tooComplex(`TIFF of ${samples} samples a pixel`);
  // LogLuv has a depth of its own.
  if (![34676, 34677].includes(compression)) checkSamples(page, bits, samples);
  const segments = Math.max(page.count(tiffTag.stripOffsets), page.count(tiffTag.tileOffsets));
  if (segments > maxSegments) throw tooComplex(`TIFF with ${segments} strips or tiles`);
  const pixelBytes =
    page.first(tiffTag.photometric) === palette ? 3 : samples * Math.ceil(bits / 8);
  // Without that sample, it is decoded whole before it is scaled.
  const whole = samplesIn(page).isOpaque ? width * height * pixelBytes : 0;
  const segmentBytes = pixelBytes * segmentPixels(page, width, height);
  return {
    format: 'tiff',
    width,
    height,
    decoderBytes:
      whole + rowBytes(width, height, pixelBytes) + 2 * segmentBytes + bytes.size / (segments || 1),
  };
}

/** Pixels decoded at once: a row of tiles, a strip, or some rows of it. */
function segmentPixels(page: Directory, width: number, height: number): number {
  const [tileWidth, tileHeight] = [page.first(tiffTag.tileWidth), page.first(tiffTag.tileLength)];
  if (tileWidth && tileHeight) {
    const [across, down] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)];
    const tiled = across * down * tileWidth * tileHeight;
    if (tiled > maxTiledPerShown * width * height + freePixels) {
      throw tooComplex(`TIFF whose tiles have ${tiled} pixels`);
    }
    return across * tileWidth * tileHeight;
  }
  const rows = Math.min(height, page.first(tiffTag.rowsPerStrip) ?? height);
  return width * (readByRows(page) ? Math.min(rows, rowsAtOnce) : rows);
}

/** Whether libvips reads long strips row by row. */
function readByRows(page: Directory): boolean {
  const coding = page.first(tiffTag.compression) ?? 1;
  const colours = page.first(tiffTag.photometric) ?? 0;
  return (
    page.first(tiffTag.planarConfiguration) !== separatePlanes &&
    colours <= cmyk &&
    ![jpegScheme, webpScheme].includes(coding)
  );
}
