import { readFile } from 'node:fs/promises';
import { isRestart, jpegMarker, jpegSegments } from '../containers.js';
import { sharp } from '../libvips.js';
import { FileBytes } from '../source.js';
import { type Filling, type Opened, type Salvager, twoFillings } from './salvage.js';

const firstRestart = 0xd0;
const restartNumbers = 8;
const endMarker = Buffer.from([0xff, jpegMarker.endOfImage]);

/** Enough for several rows of blocks: only the first row that depends on them is looked for. */
const fillingBytes = 65_536;
/** The parts of the filling, if restart markers divide the data. */
const fillingSegments = 64;

interface Scans {
  /** Where the data of the first scan ends, and the number of the next restart marker in it. */
  readonly end: number;
  readonly nextRestart: number | undefined;
  readonly hasEndMarker: boolean;
  /** Without a segment that is truncated. */
  readonly wholeBytes: number;
}

/** Where the next marker begins; stuffed and fill bytes and restart markers are part of the data. */
function endOfData(
  file: Buffer,
  from: number,
  hasRestarts: boolean,
): Pick<Scans, 'end' | 'nextRestart'> {
  let restarts = 0;
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const code = file[at + 1] ?? 0xff;
    if (code === 0 || code === 0xff) continue;
    if (!hasRestarts || !isRestart(code)) return { end: at, nextRestart: restarts };
    restarts = (code + 1) % restartNumbers;
  }
  // Half a marker.
  const end = file.at(-1) === 0xff ? file.length - 1 : file.length;
  return { end, nextRestart: restarts };
}

/** @returns undefined if there is no scan. */
function scansOf(file: Buffer): Scans | undefined {
  let interval = 0;
  let first: ReturnType<typeof endOfData> | undefined;
  let wholeBytes = file.length;
  const bytes = new FileBytes(file, file.length);
  for (const { type, at, start, end } of jpegSegments(bytes)) {
    if (type === jpegMarker.endOfImage) {
      return first && { ...first, wholeBytes, hasEndMarker: true };
    }
    if (end > file.length) wholeBytes = at;
    else if (type === jpegMarker.defineRestartInterval) {
      interval = bytes.at(start, 2)?.readUInt16BE(0) ?? 0;
    } else if (type === jpegMarker.startOfScan && !first) {
      const data = endOfData(file, end, interval > 0);
      first = interval > 0 ? data : { end: data.end, nextRestart: undefined };
    }
  }
  return first && { ...first, wholeBytes, hasEndMarker: false };
}

/**
 * Adds data after the end of the first scan: a decoder that lacks data there decodes it, and others
 * skip it. Later scans only refine what the first one shows.
 */
function filled(file: Buffer, scans: Scans, fill: Filling): Buffer {
  const { end, nextRestart, hasEndMarker, wholeBytes } = scans;
  const filling = fill(fillingBytes);
  const parts: Buffer[] = [];
  if (nextRestart === undefined) parts.push(filling);
  else {
    const size = fillingBytes / fillingSegments;
    for (let i = 0; i < fillingSegments; i++) {
      const code = firstRestart + ((nextRestart + i) % restartNumbers);
      parts.push(filling.subarray(i * size, (i + 1) * size), Buffer.from([0xff, code]));
    }
  }
  return Buffer.concat([
    file.subarray(0, end),
    ...parts,
    file.subarray(end, wholeBytes),
    ...(hasEndMarker ? [] : [endMarker]),
  ]);
}

/** What libjpeg shows where data is missing: every channel at its midpoint. */
const blank = 128;
/** The same in CMYK, converted. */
const blankCmyk = [83, 73, 68] as const;
const tolerance = 6;
/** With a profile, it may be any medium gray, and tinted if it was CMYK. */
const profiled = { darkest: 50, lightest: 210, tint: 24 };

/**
 * Whether the end of the data may be missing, which the decoder does not say of the last few rows.
 * Only a reason to look closer. Checks all corners, since the image may have been rotated.
 */
function mayLackEnd({ header, pixels: { data, width, height, channels } }: Opened): boolean {
  const corners = [0, width - 1, (height - 1) * width, height * width - 1];
  return corners.some((corner) => {
    const colour = [...data.subarray(corner * channels, corner * channels + 3)];
    const isNear = (blanks: readonly number[]): boolean =>
      blanks.every((value, i) => Math.abs(value - (colour[i] ?? NaN)) <= tolerance);
    if (isNear([blank, blank, blank]) || isNear(blankCmyk)) return true;
    const [low, high] = [Math.min(...colour), Math.max(...colour)];
    const { darkest, lightest, tint } = profiled;
    const inside = corner % width === 0 ? corner + 1 : corner - 1;
    const isUniform = colour.every((value, i) => value === data[inside * channels + i]);
    return header.icc !== undefined && isUniform && low >= darkest && high <= lightest && high - low <= tint; // prettier-ignore
  });
}

/**
 * libjpeg shows what there is, and reports missing or damaged data only as a warning. Which rows it
 * has data for shows when the missing data is filled in. One with several scans that is truncated
 * in a later scan is complete, only coarser.
 */
export const jpeg: Salvager = {
  strictness: 'warning',
  isTruncated: (_, opened) => Promise.resolve(mayLackEnd(opened)),
  async salvage(path, open) {
    const file = await readFile(path);
    const scans = scansOf(file);
    if (!scans) return undefined;
    const { orientation: known } = await sharp(path, { failOn: 'none' }).metadata();
    const salvaged = await twoFillings(
      (fill) => filled(file, scans, fill),
      open,
      ({ orientation = 1 }) => known ?? orientation,
    );
    return { ...salvaged, incomplete: salvaged.missing > 0 || !scans.hasEndMarker };
  },
};
