import { open } from 'node:fs/promises';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { readExif, readTiffExif } from '../../imaging/exif.js';
import type { ProcessedImage } from '../../imaging/port.js';
import { takenAt } from '../../library/images/upload/uploads.js';

/** Where and when a picture was taken, if known. */
export interface Geotag {
  readonly coordinates?: NonNullable<ProcessedImage['coordinates']> | undefined;
  readonly time?: Date | undefined;
}

/** Bytes at the beginning of a file in which cameras and phones put EXIF. */
const searchedBytes = 1024 * 1024;

/** The bytes before EXIF in JPEG and HEIC, in PNG, and in WebP. */
const introduced = /(?:Exif\0\0|eXIf|EXIF[^]{4}(?:Exif\0\0)?)(?=II\*\0|MM\0\*)/;

/**
 * Reads the geotag from a file's own EXIF, with the service's reader but without decoding the
 * picture. EXIF far from the beginning is not found and counts as absent.
 */
export async function ownGeotag(path: string, clock: WallClock): Promise<Geotag> {
  const file = await open(path, 'r');
  let head: Buffer;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(searchedBytes), 0, searchedBytes, 0);
    head = buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
  const text = head.toString('latin1');
  const found = introduced.exec(text);
  const exif = /^(II\*\0|MM\0\*)/.test(text)
    ? readTiffExif(path)
    : found
      ? readExif(head.subarray(found.index + found[0].length))
      : {};
  return { coordinates: exif.coordinates, time: takenAt(exif, clock) ?? undefined };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: false, // against entity expansion attacks
});

/** Properties for the time when it was taken, the most exact first. */
const times = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate'] as const;

/** Reads an XMP file; empty if it is something else. */
export function readXmp(text: string, clock: WallClock): Geotag {
  const properties = new Map<string, string>();
  try {
    gather(parser.parse(text), properties, 0);
  } catch {
    return {};
  }
  const latitude = degrees(properties.get('exif:GPSLatitude'), 'NS', 90);
  const longitude = degrees(properties.get('exif:GPSLongitude'), 'EW', 180);
  const time = times.map((name) => timeFrom(properties.get(name), clock)).find(Boolean);
  return {
    coordinates:
      latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    time,
  };
}

/** Properties are attributes or elements at any depth; the first of each name counts. */
function gather(node: unknown, into: Map<string, string>, depth: number): void {
  if (typeof node !== 'object' || node === null || depth > 16) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') {
      if (!into.has(name)) into.set(name, value);
    } else gather(value, into, depth + 1);
  }
}

/** `48,51.5N` or `48,51,30N`. */
function degrees(text: string | undefined, hemispheres: string, limit: number): number | undefined {
  const [, d, m, s = '0', letter = ''] =
    /^\s*(\d+),(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?([NSEW])\s*$/.exec(text ?? '') ?? [];
  if (d === undefined || !hemispheres.includes(letter)) return undefined;
  const value = Number(d) + Number(m) / 60 + Number(s) / 3600;
  if (!(value <= limit)) return undefined;
  return letter === hemispheres[1] ? 0 - value : value;
}

/** ISO 8601; without an offset, in the configured zone. */
function timeFrom(text: string | undefined, clock: WallClock): Date | undefined {
  const [, year, month, day, hour, minute, second = '00', offset] =
    /^\s*(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?\s*$/.exec(
      text ?? '',
    ) ?? [];
  if (year === undefined) return undefined;
  if (offset === undefined) {
    return clock.parse(`${year}${month}${day}_${hour}${minute}${second}`);
  }
  return instant(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`));
}

const takeoutPlace = z.object({ latitude: z.number(), longitude: z.number() });

const takeout = z.object({
  photoTakenTime: z.object({ timestamp: z.coerce.number() }).optional().catch(undefined),
  geoData: takeoutPlace.optional().catch(undefined),
  geoDataExif: takeoutPlace.optional().catch(undefined),
});

/** Reads the JSON that Takeout writes about a picture; empty if it is something else. */
export function readTakeout(text: string): Geotag {
  const { data } = takeout.safeParse(parsed(text));
  const seconds = data?.photoTakenTime?.timestamp;
  return {
    coordinates: coordinatesOf(data?.geoData) ?? coordinatesOf(data?.geoDataExif),
    time: seconds === undefined ? undefined : instant(seconds * 1000),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takeout writes 0, 0 where there are no coordinates. */
function coordinatesOf(
  coordinates: z.output<typeof takeoutPlace> | undefined,
): Geotag['coordinates'] {
  if (!coordinates || (coordinates.latitude === 0 && coordinates.longitude === 0)) return undefined;
  return Math.abs(coordinates.latitude) <= 90 && Math.abs(coordinates.longitude) <= 180
    ? coordinates
    : undefined;
}

/** @returns undefined for a time that a record cannot represent. */
function instant(milliseconds: number): Date | undefined {
  const time = new Date(milliseconds);
  const year = time.getUTCFullYear();
  return year >= 2 && year <= 9998 ? time : undefined;
}
