import type { ProcessedImage } from '../src/imaging/port.js';
import { openDirectories, type ReadAt, type TagValue } from './tiff-directory.js';
import { withFile } from './tiff-file.js';
import { exifTag as tags } from './tiff-tags.js';

/**
 * Some writers put the marker `Exif`, possibly with further data, before the block's TIFF header.
 */
const maxBytesBeforeHeader = 64;

type ExifData = Pick<ProcessedImage, 'coordinates' | 'taken'>;
type Tags = ReadonlyMap<number, TagValue>;

const within = (buffer: Buffer): ReadAt => {
  return (offset, length) =>
    offset + length <= buffer.length ? buffer.subarray(offset, offset + length) : undefined;
};

/** Converts degrees, minutes, seconds, and a hemisphere (letter or word) to one signed number. */
function degrees(
  value: TagValue | undefined,
  ref: TagValue | undefined,
  [positive, negative]: readonly [positive: string, negative: string],
  limit: number,
): number | undefined {
  if (!Array.isArray(value) || typeof ref !== 'string') return undefined;
  const [d = NaN, m = 0, s = 0] = value as readonly number[];
  const size = d + m / 60 + s / 3600;
  // Comparisons with NaN are false, so this also covers a zero denominator.
  if (!(size >= 0 && size <= limit)) return undefined;
  const hemisphere = ref.trim().toUpperCase();
  const is = (word: string): boolean => hemisphere === word || hemisphere === word.charAt(0);
  if (is(positive)) return size;
  return is(negative) ? 0 - size : undefined;
}

function readCoordinates(gps: Tags): ProcessedImage['coordinates'] {
  const latitude = degrees(
    gps.get(tags.latitude),
    gps.get(tags.latitudeRef),
    ['NORTH', 'SOUTH'],
    90,
  );
  const longitude = degrees(
    gps.get(tags.longitude),
    gps.get(tags.longitudeRef),
    ['EAST', 'WEST'],
    180,
  );
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude };
}

/** Minutes east of UTC, from `+09:00` or the variants `+0900`, `+09`, and `Z` of some writers. */
function offsetFrom(text: TagValue | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^\s*z\s*$/i.test(text)) return 0;
  const parts = /^\s*([+-])(\d\d)(?::?([0-5]\d))?\s*$/.exec(text);
  if (!parts) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  // The widest offsets in use are -12:00 and +14:00.
  if (minutes > 14 * 60) return undefined;
  return parts[1] === '-' ? 0 - minutes : minutes;
}

function wallTimeFrom(text: TagValue | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1) as [string, ...string[]];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${iso}.000Z`);
  // Impossible dates are either invalid or normalized to another day.
  if (Number(year) < 1 || Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso)) {
    return undefined;
  }
  return `${year}${month}${day}_${hour}${minute}${second}`;
}

/**
 * When the image was taken: DateTimeOriginal, else DateTimeDigitized; not DateTime, which is when
 * the file was changed. The offset is that of the same tag, else OffsetTime. Fractions of a second
 * are dropped.
 */
function takenFrom(photo: Tags): ProcessedImage['taken'] {
  for (const [time, offset] of [
    [tags.dateTimeOriginal, tags.offsetTimeOriginal],
    [tags.dateTimeDigitized, tags.offsetTimeDigitized],
  ] as const) {
    const wallTime = wallTimeFrom(photo.get(time));
    if (wallTime === undefined) continue;
    const offsetMinutes = offsetFrom(photo.get(offset)) ?? offsetFrom(photo.get(tags.offsetTime));
    return offsetMinutes === undefined ? { wallTime } : { wallTime, offsetMinutes };
  }
  return undefined;
}

function readDirectories(readAt: ReadAt): ExifData {
  const directories = openDirectories(readAt);
  if (!directories) return {};
  const pointers = directories.read(directories.first, [tags.exifDirectory, tags.gpsDirectory]);
  const follow = (tag: number, wanted: readonly number[]): Tags => {
    const target = pointers.get(tag);
    return Array.isArray(target)
      ? directories.read(Number(target[0]), wanted)
      : new Map<number, TagValue>();
  };
  const coordinates = readCoordinates(
    follow(tags.gpsDirectory, [
      ...[tags.latitudeRef, tags.latitude],
      ...[tags.longitudeRef, tags.longitude],
    ]),
  );
  const taken = takenFrom(
    follow(tags.exifDirectory, [
      ...[tags.dateTimeOriginal, tags.dateTimeDigitized],
      ...[tags.offsetTime, tags.offsetTimeOriginal, tags.offsetTimeDigitized],
    ]),
  );
  return { ...(coordinates && { coordinates }), ...(taken && { taken }) };
}

/**
 * Location and time from an EXIF block, ignoring data before its TIFF header; broken EXIF yields
 * nothing.
 */
export function readExif(exif: Buffer): ExifData {
  const before = exif.toString('latin1', 0, maxBytesBeforeHeader + 4);
  const start = before.search(/II\*\0|MM\0\*/);
  return start < 0 ? {} : readDirectories(within(exif.subarray(start)));
}

/** Location and time from a TIFF file, which has EXIF in separate directories. */
export const readTiffExif = (path: string): ExifData => withFile(path, readDirectories);
