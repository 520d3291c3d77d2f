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

export interface Metadata extends CameraData {
  /** 2 to 8, for an image that is not stored upright. */
  readonly orientation?: number;
}

/** What one EXIF block says, with what it knows of the offsets of other times. */
export interface ExifData extends Metadata, OffsetSources {}

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

function readCoordinates(gps: Tags): CameraData['coordinates'] {
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

/** In the order in which one stands in for another: OffsetTime is that of the last change. */
const offsets = [tags.offsetTimeOriginal, tags.offsetTimeDigitized, tags.offsetTime];

const offsetIn = (photo: Tags, wanted: readonly number[]): number | undefined =>
  wanted.map((tag) => offsetFrom(textOf(photo.get(tag)))).find((minutes) => minutes !== undefined);

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
    const taken = timeFrom(textOf(photo.get(tag)));
    const own = offsetIn(photo, [offset]);
    if (taken) return withOffset(taken, own === undefined ? {} : { offset: own });
  }
  return undefined;
}

/** What GPS said, in UTC. */
function gpsTimeFrom(gps: Tags): string | undefined {
  const date = textOf(gps.get(tags.gpsDate))?.trim();
  const [hour = NaN, minute = NaN, second = NaN] = numbersOf(gps.get(tags.gpsTime));
  return timeFrom(`${date} ${hour}:${minute}:${Math.floor(second)}`)?.wallTime;
}

const gpsTags = [
  tags.latitudeRef,
  tags.latitude,
  tags.longitudeRef,
  tags.longitude,
  tags.altitudeRef,
  tags.altitude,
  tags.gpsTime,
  tags.imgDirection,
  tags.gpsDate,
  tags.hPositioningError,
];
const photoTags = [tags.gpsDirectory, tags.dateTimeOriginal, tags.dateTimeDigitized, ...offsets];
const mainTags = [tags.orientation, tags.make, tags.model, tags.exifDirectory, ...photoTags];
/** Of a text; GPS as text is longer than as numbers. */
const maxValueBytes = 256;

/** Times may stand in the main directory as well, and that of EXIF may point to GPS. */
function readDirectories(readAt: ReadAt): ExifData {
  const directories = openDirectories(readAt);
  if (!directories) return {};
  const read = (at: number | undefined, wanted: readonly number[]): Tags =>
    at === undefined ? new Map() : directories.read(at, wanted, maxValueBytes);
  const main = read(directories.first, mainTags);
  const photo = read(numbersOf(main.get(tags.exifDirectory))[0], photoTags);
  const gps = read(
    numbersOf(main.get(tags.gpsDirectory) ?? photo.get(tags.gpsDirectory))[0],
    gpsTags,
  );
  const times: Tags = new Map([...main, ...photo]);
  const sources = present({ offset: offsetIn(times, offsets), gpsTime: gpsTimeFrom(gps) });
  const number = (tag: number): number | undefined => numbersOf(gps.get(tag))[0];
  const text = (tag: number): string => asUtf8(textOf(main.get(tag)) ?? '');
  const [orientation = 1] = numbersOf(main.get(tags.orientation));
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
export function readExif(exif: Buffer): ExifData {
  const before = exif.toString('latin1', 0, maxBytesBeforeHeader + 4);
  const start = before.search(/II\*\0|MM\0\*/);
  return start < 0 ? {} : readDirectories(within(exif.subarray(start)));
}

/** The same from a TIFF file, which has EXIF in separate directories. */
export const readTiffExif = (path: string): ExifData => withFile(path, readDirectories);
