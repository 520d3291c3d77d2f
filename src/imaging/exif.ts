import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CameraData } from './port.js';
import {
  accuracyFrom,
  altitudeFrom,
  asUtf8,
  cameraFrom,
  directionFrom,
  offsetFrom,
  type OffsetSources,
  present,
  type Taken,
  timeFrom,
  withOffset,
} from './readings.js';
import {
  type Directory,
  exifTag as tags,
  type TagValue,
  type TiffBytes,
  TiffFile,
} from './tiff-directory.js';

/**
 * Some writers put the marker `Exif`, possibly with further data, before the block's TIFF header.
 */
const maxBytesBeforeHeader = 64;

export interface Metadata extends CameraData {
  /** 2 to 8, for an image that is not stored upright. */
  readonly orientation?: number;
}

/** What one EXIF block says, with what it knows of the offsets of other times. */
export interface ExifData extends Metadata, OffsetSources {}

type Tags = (tag: number) => TagValue | undefined;

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

function readCoordinates(gps: Tags): CameraData['coordinates'] {
  const latitude = degrees(gps(tags.latitude), gps(tags.latitudeRef), ['NORTH', 'SOUTH'], 90);
  const longitude = degrees(gps(tags.longitude), gps(tags.longitudeRef), ['EAST', 'WEST'], 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude };
}

/** In the order in which one stands in for another: OffsetTime is that of the last change. */
const offsets = [tags.offsetTimeOriginal, tags.offsetTimeDigitized, tags.offsetTime];

const offsetIn = (photo: Tags, wanted: readonly number[]): number | undefined =>
  wanted.map((tag) => offsetFrom(textOf(photo(tag)))).find((minutes) => minutes !== undefined);

/**
 * When the image was taken: DateTimeOriginal, else DateTimeDigitized; not DateTime, which is when
 * the file was changed. The offset is that in the text itself, else that of the same tag. Fractions
 * of a second are dropped.
 */
function takenFrom(photo: Tags): Taken | undefined {
  for (const [tag, offset] of [
    [tags.dateTimeOriginal, tags.offsetTimeOriginal],
    [tags.dateTimeDigitized, tags.offsetTimeDigitized],
  ] as const) {
    const taken = timeFrom(textOf(photo(tag)));
    const own = offsetIn(photo, [offset]);
    if (taken) return withOffset(taken, own === undefined ? {} : { offset: own });
  }
  return undefined;
}

/** What GPS said, in UTC. */
function gpsTimeFrom(gps: Tags): string | undefined {
  const date = textOf(gps(tags.gpsDate))?.trim();
  const [hour = NaN, minute = NaN, second = NaN] = numbersOf(gps(tags.gpsTime));
  return timeFrom(`${date} ${hour}:${minute}:${Math.floor(second)}`)?.wallTime;
}

/** Times may stand in the main directory as well, and that of EXIF may point to GPS. */
export function exifIn(bytes: TiffBytes): ExifData {
  const file = new TiffFile(bytes);
  const directoryAt = (at: number | undefined): Directory | undefined =>
    at ? file.directory(at) : undefined;
  const main = directoryAt(file.first);
  const photo = directoryAt(main?.first(tags.exifDirectory));
  const located = directoryAt(main?.first(tags.gpsDirectory) || photo?.first(tags.gpsDirectory));
  const gps: Tags = (tag) => located?.value(tag);
  const times: Tags = (tag) => photo?.value(tag) ?? main?.value(tag);
  const sources = present({ offset: offsetIn(times, offsets), gpsTime: gpsTimeFrom(gps) });
  const number = (tag: number): number | undefined => numbersOf(gps(tag))[0];
  const text = (tag: number): string => asUtf8(textOf(main?.value(tag)) ?? '');
  const [orientation = 1] = numbersOf(main?.value(tags.orientation));
  return present({
    coordinates: readCoordinates(gps),
    taken: withOffset(takenFrom(times), sources),
    ...sources,
    direction: directionFrom(number(tags.imgDirection)),
    altitude: altitudeFrom(number(tags.altitude), number(tags.altitudeRef)),
    accuracy: accuracyFrom(number(tags.hPositioningError)),
    camera: cameraFrom(text(tags.make), text(tags.model)),
    orientation: orientation >= 2 && orientation <= 8 ? orientation : undefined,
  });
}

/**
 * What an EXIF block says, ignoring data before its TIFF header; broken EXIF yields nothing.
 */
export function readExif(block: Buffer, budget?: Pick<TiffBytes, 'spend'>): ExifData {
  const before = block.toString('latin1', 0, maxBytesBeforeHeader + 4);
  const start = before.search(/II\*\0|MM\0\*/);
  if (start < 0) return {};
  const exif = block.subarray(start);
  return exifIn({
    size: exif.length,
    at: (from, length) =>
      from + length <= exif.length ? exif.subarray(from, from + length) : undefined,
    spend: (steps) => budget?.spend(steps),
  });
}

/** The same from a TIFF file, which has EXIF in separate directories. */
export function readTiffExif(path: string): ExifData {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    return exifIn({
      size,
      at: (offset, length) => {
        if (!(offset + length <= size)) return undefined;
        const buffer = Buffer.alloc(length);
        return readSync(file, buffer, 0, length, offset) === length ? buffer : undefined;
      },
      spend: () => undefined,
    });
  } finally {
    closeSync(file);
  }
}
