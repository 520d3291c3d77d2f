import { closeSync, openSync, readSync } from 'node:fs';
import type { ImageFacts } from '../src/imaging/port.js';
import { openDirectories, type ReadAt, type TagValue } from './tiff-directory.js';

// Tag numbers of the EXIF standard (CIPA DC-008).
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME_ORIGINAL = 0x9011;
const LATITUDE_REF = 1;
const LATITUDE = 2;
const LONGITUDE_REF = 3;
const LONGITUDE = 4;

type ExifFacts = Pick<ImageFacts, 'place' | 'taken'>;

const within = (buffer: Buffer): ReadAt => {
  return (offset, length) =>
    offset + length <= buffer.length ? buffer.subarray(offset, offset + length) : undefined;
};

/** Degrees, minutes, seconds and a hemisphere as one signed number. */
function degrees(
  value: TagValue | undefined,
  ref: TagValue | undefined,
  hemispheres: readonly [positive: string, negative: string],
  limit: number,
): number | undefined {
  if (!Array.isArray(value) || typeof ref !== 'string') return undefined;
  const [d = NaN, m = 0, s = 0] = value as readonly number[];
  const size = d + m / 60 + s / 3600;
  const hemisphere = hemispheres.indexOf(ref.trim().toUpperCase());
  // A comparison with NaN is false: what a zero denominator makes ends here too.
  if (hemisphere < 0 || !(size >= 0 && size <= limit)) return undefined;
  return hemisphere === 0 || size === 0 ? size : -size;
}

function placeFrom(gps: Map<number, TagValue>): ImageFacts['place'] {
  const latitude = degrees(gps.get(LATITUDE), gps.get(LATITUDE_REF), ['N', 'S'], 90);
  const longitude = degrees(gps.get(LONGITUDE), gps.get(LONGITUDE_REF), ['E', 'W'], 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude };
}

function offsetFrom(text: TagValue | undefined): number | undefined {
  const parts = typeof text === 'string' ? /^([+-])(\d\d):([0-5]\d)$/.exec(text.trim()) : null;
  if (!parts) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  // The widest offsets in use are -12:00 and +14:00.
  if (minutes > 14 * 60) return undefined;
  return parts[1] === '-' && minutes > 0 ? -minutes : minutes;
}

function takenFrom(photo: Map<number, TagValue>): ImageFacts['taken'] {
  const text = photo.get(DATE_TIME_ORIGINAL);
  if (typeof text !== 'string') return undefined;
  const parts = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1) as [string, ...string[]];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${iso}.000Z`);
  // Impossible dates are either invalid or come back as another day.
  if (Number(year) < 1 || Number.isNaN(time.getTime()) || !time.toISOString().startsWith(iso)) {
    return undefined;
  }
  const wallTime = `${year}${month}${day}_${hour}${minute}${second}`;
  const offsetMinutes = offsetFrom(photo.get(OFFSET_TIME_ORIGINAL));
  return offsetMinutes === undefined ? { wallTime } : { wallTime, offsetMinutes };
}

function factsFrom(readAt: ReadAt): ExifFacts {
  const directories = openDirectories(readAt);
  if (!directories) return {};
  const pointers = directories.read(directories.first, [EXIF_DIRECTORY, GPS_DIRECTORY]);
  const follow = (tag: number, wanted: readonly number[]): Map<number, TagValue> => {
    const target = pointers.get(tag);
    return Array.isArray(target)
      ? directories.read(Number(target[0]), wanted)
      : new Map<number, TagValue>();
  };
  const place = placeFrom(
    follow(GPS_DIRECTORY, [LATITUDE_REF, LATITUDE, LONGITUDE_REF, LONGITUDE]),
  );
  const taken = takenFrom(follow(EXIF_DIRECTORY, [DATE_TIME_ORIGINAL, OFFSET_TIME_ORIGINAL]));
  return { ...(place && { place }), ...(taken && { taken }) };
}

/** Place and time of an EXIF block, with or without its `Exif` marker; broken EXIF gives nothing. */
export function readExif(exif: Buffer): ExifFacts {
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  return factsFrom(within(exif.subarray(start)));
}

/** Place and time of a TIFF file, which carries EXIF as directories of its own. */
export function readTiffExif(path: string): ExifFacts {
  const file = openSync(path, 'r');
  try {
    return factsFrom((offset, length) => {
      const buffer = Buffer.alloc(length);
      return readSync(file, buffer, 0, length, offset) === length ? buffer : undefined;
    });
  } finally {
    closeSync(file);
  }
}
