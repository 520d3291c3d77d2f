import { readFile } from 'node:fs/promises';
import { sharp } from '../libvips.js';
import { type Directory, TiffFile, tiffTag } from '../../src/imaging/tiff-directory.js';
import { Refused } from '../refused.js';
import { withBytes } from '../source.js';
import type { Salvager } from './salvage.js';

/** For a list of strips: one per row of the tallest image, eight bytes each. */
const maxListBytes = 8 * 65_536;
/** All rows are decoded, but only a small width is kept. */
const smallWidth = 64;

interface Cut {
  /** From the top; their data is within the file. */
  readonly soundRows: number;
  readonly rows: number;
  /** Full size of the file, if zeros can stand in for the missing part. */
  readonly wholeBytes: number | undefined;
}

/** @returns undefined if no strip or tile of the first image extends past the end of the file. */
function cutOf(page: Directory, fileBytes: number): Cut | undefined {
  const list = (tag: number): readonly number[] => {
    const value = page.value(tag, maxListBytes);
    return typeof value === 'string' ? [] : (value ?? []);
  };
  const one = (tag: number): number | undefined => page.first(tag);
  const [width, rows, tileWidth] = [
    one(tiffTag.imageWidth),
    one(tiffTag.imageLength),
    one(tiffTag.tileWidth),
  ];
  if (!width || !rows || (one(tiffTag.planarConfiguration) ?? 1) !== 1) return undefined;
  const rowsEach = Math.min(
    one(tileWidth ? tiffTag.tileLength : tiffTag.rowsPerStrip) ?? rows,
    rows,
  );
  const across = tileWidth ? Math.ceil(width / tileWidth) : 1;
  const offsets = list(tileWidth ? tiffTag.tileOffsets : tiffTag.stripOffsets);
  const sizes = list(tileWidth ? tiffTag.tileByteCounts : tiffTag.stripByteCounts);
  const ends = offsets.map((offset, i) => offset + (sizes[i] ?? NaN));
  const cut = ends.findIndex((end) => !(end <= fileBytes));
  if (cut < 0) return undefined;
  const before = Math.floor(cut / across) * rowsEach;
  if (tileWidth || one(tiffTag.compression) !== 1) {
    return { soundRows: before, rows, wholeBytes: undefined };
  }
  // Uncompressed rows: those of a truncated strip count, too.
  const rowBytes = (sizes[cut] ?? NaN) / Math.min(rowsEach, rows - before);
  const inCut = Math.max(0, Math.floor((fileBytes - (offsets[cut] ?? NaN)) / rowBytes));
  const whole = Math.max(...ends);
  const wholeBytes = whole > 2 * fileBytes ? undefined : whole;
  return { soundRows: before + inCut, rows, wholeBytes };
}

/** @throws Refused if available strips or tiles cannot be decoded: they would come out blank. */
async function assertSound(path: string, rows: number): Promise<void> {
  const { width } = await sharp(path, { failOn: 'none' }).metadata();
  await sharp(path, { failOn: 'error', sequentialRead: true })
    .extract({ left: 0, top: 0, width, height: rows })
    .resize(smallWidth)
    .toBuffer()
    .catch((error: Error) => {
      throw new Refused('corrupt_image', error.message);
    });
}

/**
 * A TIFF whose directory precedes its pixels is shown up to where its strips or tiles end; one with
 * its directory at the end is lost when truncated.
 */
export const tiff: Salvager = {
  isTruncated: () => Promise.resolve(false),
  async salvage(path, open) {
    const cut = withBytes(path, (bytes) => {
      const file = new TiffFile(bytes);
      const page = file.directory(file.first);
      return page && cutOf(page, bytes.size);
    });
    if (!cut) return undefined;
    const { soundRows, rows, wholeBytes } = cut;
    const missing = 1 - soundRows / rows;
    // Bounds how much has to be filled in.
    if (!(missing <= 0.5)) throw new Refused('corrupt_image', 'more than half is missing');
    if (wholeBytes === undefined) {
      await assertSound(path, soundRows);
      return { ...(await open(path)), missing };
    }
    const file = await readFile(path);
    return { ...(await open(Buffer.concat([file], wholeBytes))), missing };
  },
};
