import type { ProcessedImage } from './port.js';
import {
  openDirectories,
  type ReadAt,
  type TagValue,
  withFile,
  exifTag as tags,
} from './tiff-directory.js';

/**
 * Some writers put the marker `Exif`, possibly with further data, before the block's TIFF header.
 */
const maxBytesBeforeHeader = 64;

export type ExifData = Pick<ProcessedImage, 'coordinates' | 'taken'>;

export interface Metadata extends ExifData {
  /** 2 to 8, for an image that is not stored upright. */
  readonly orientation?: number;
}

type Tags = ReadonlyMap<number, TagValue>;

/** Of a value that writers also store as bytes. */
function textOf(value: TagValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const bytes = value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return bytes ? Buffer.from(value).toString('latin1').replace(/\0.*$/s, '') : undefined;
}

/** Of a value that writers also store as text: `37 33 54.0`, `37/1, 33/1, 5400/100`. */
function numbersOf(value: TagValue | undefined): readonly number[] {
  if (value === undefined || typeof value !== 'string') return value ?? [];
  return Array.from(value.matchAll(/([+-]?(?:\d+\.?\d*|\.\d+))(?:\/(\d+\.?\d*))?/g), (match) =>
    match[2] === undefined ? Number(match[1]) : Number(match[1]) / Number(match[2]),
  );
}

const within = (buffer: Buffer): ReadAt => {
  return (offset, length) =>
    offset >= 0 && offset + length <= buffer.length
      ? buffer.subarray(offset, offset + length)
      : undefined;
};

/**
 * Converts degrees, minutes, seconds, and a hemisphere (letter or word) to one signed number. Some
 * writers sign the number as well.
 */
function degrees(
  value: TagValue | undefined,
  ref: TagValue | undefined,
  [positive, negative]: readonly [positive: string, negative: string],
  limit: number,
): number | undefined {
  const hemisphere = textOf(ref)?.trim().toUpperCase();
  if (hemisphere === undefined) return undefined;
  const [d = NaN, m = 0, s = 0] = numbersOf(value);
  const size = Math.abs(d) + Math.abs(m) / 60 + Math.abs(s) / 3600;
  // Comparisons with NaN are false, so this also covers a zero denominator.
  if (!(size <= limit)) return undefined;
  const is = (word: string): boolean => hemisphere === word || hemisphere === word.charAt(0);
  if (!is(positive) && !is(negative)) return undefined;
  return is(negative) || d < 0 ? 0 - size : size;
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
function offsetFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*(?:z|utc|gmt)\s*$/i.test(text)) return 0;
  const parts = /^\s*([+-])(\d\d)(?::?([0-5]\d))?\s*$/.exec(text);
  if (!parts) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  // The widest offsets in use are -12:00 and +14:00.
  if (minutes > 14 * 60) return undefined;
  return parts[1] === '-' ? 0 - minutes : minutes;
}

// Colons by the standard; tools and some cameras write dashes, slashes, or ISO 8601 with its zone, and
// leave out the seconds.
const written =
  /^\s*(\d{4})[-:/. ]\s*(\d\d?)[-:/. ]\s*(\d\d?)(?:[\sT_]+)(\d\d?)[:.](\d\d?)(?:[:.](\d\d?)(?:[.,]\d+)?)?(.*)$/is;

type Taken = NonNullable<ProcessedImage['taken']>;

/** A time as written in EXIF or XMP, with the offset that follows it, if any. */
export function timeFrom(text: string | undefined): Taken | undefined {
  const parts = written.exec(text ?? '');
  if (!parts) return undefined;
  const [year = 0, ...rest] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest;
  const fields = [month, day, hour, minute].map((field) => String(field).padStart(2, '0'));
  const iso = `${String(year).padStart(4, '0')}-${fields[0]}-${fields[1]}T${fields[2]}:${fields[3]}`;
  const time = new Date(`${iso}:00.000Z`);
  // Impossible dates are either invalid or normalized to another day. Second 60 is a leap second.
  if (year < 1 || second > 60 || Number.isNaN(time.getTime())) return undefined;
  if (!time.toISOString().startsWith(iso)) return undefined;
  time.setUTCSeconds(second);
  const wallTime = time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
  const offsetMinutes = offsetFrom(parts[7]);
  return offsetMinutes === undefined ? { wallTime } : { wallTime, offsetMinutes };
}

const offsets = [tags.offsetTime, tags.offsetTimeOriginal, tags.offsetTimeDigitized];

/**
 * When the image was taken: DateTimeOriginal, else DateTimeDigitized; not DateTime, which is when
 * the file was changed. The offset is that in the text itself, else that of the same tag, else any
 * other. Fractions of a second are dropped.
 */
function takenFrom(photo: Tags): ProcessedImage['taken'] {
  for (const [tag, offset] of [
    [tags.dateTimeOriginal, tags.offsetTimeOriginal],
    [tags.dateTimeDigitized, tags.offsetTimeDigitized],
  ] as const) {
    const taken = timeFrom(textOf(photo.get(tag)));
    if (!taken || taken.offsetMinutes !== undefined) {
      if (taken) return taken;
      continue;
    }
    const offsetMinutes = [offset, ...offsets]
      .map((other) => offsetFrom(textOf(photo.get(other))))
      .find((minutes) => minutes !== undefined);
    return offsetMinutes === undefined ? taken : { ...taken, offsetMinutes };
  }
  return undefined;
}

const gpsTags = [tags.latitudeRef, tags.latitude, tags.longitudeRef, tags.longitude];
const photoTags = [tags.gpsDirectory, tags.dateTimeOriginal, tags.dateTimeDigitized, ...offsets];
/** Of a text; GPS as text is longer than as numbers. */
const maxValueBytes = 256;

/** Times may stand in the main directory as well, and that of EXIF may point to GPS. */
function readDirectories(readAt: ReadAt): Metadata {
  const directories = openDirectories(readAt);
  if (!directories) return {};
  const read = (at: number | undefined, wanted: readonly number[]): Tags =>
    at === undefined ? new Map() : directories.read(at, wanted, maxValueBytes);
  const main = read(directories.first, [tags.orientation, tags.exifDirectory, ...photoTags]);
  const photo = read(numbersOf(main.get(tags.exifDirectory))[0], photoTags);
  const gpsAt = numbersOf(main.get(tags.gpsDirectory) ?? photo.get(tags.gpsDirectory))[0];
  const coordinates = readCoordinates(read(gpsAt, gpsTags));
  const taken = takenFrom(new Map([...main, ...photo]));
  const [orientation = 1] = numbersOf(main.get(tags.orientation));
  return {
    ...(coordinates && { coordinates }),
    ...(taken && { taken }),
    ...(orientation >= 2 && orientation <= 8 && { orientation }),
  };
}

/**
 * Location and time from an EXIF block, ignoring data before its TIFF header; broken EXIF yields
 * nothing.
 */
export function readExif(exif: Buffer): Metadata {
  const before = exif.toString('latin1', 0, maxBytesBeforeHeader + 4);
  const start = before.search(/II\*\0|MM\0\*/);
  return start < 0 ? {} : readDirectories(within(exif.subarray(start)));
}

/** Location and time from a TIFF file, which has EXIF in separate directories. */
export const readTiffExif = (path: string): Metadata => withFile(path, readDirectories);
