import { open } from 'node:fs/promises';
import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { readExif, readTiffExif } from '../../imaging/exif.js';
import type { ProcessedImage } from '../../imaging/port.js';
import { present, withOffset } from '../../imaging/readings.js';
import { readXmp } from '../../imaging/xmp.js';
import { takenAt } from '../../library/images/upload/received.js';
import { jsonOf } from './exported.js';

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

/** Reads an XMP file; empty if it is something else. */
export function xmpGeotag(text: string, clock: WallClock): Geotag {
  const { coordinates, taken, gpsTime } = readXmp(text);
  const time = takenAt(present({ taken: withOffset(taken, present({ gpsTime })) }), clock);
  return { coordinates, time: time ?? undefined };
}

const takeoutPlace = z.object({ latitude: z.number(), longitude: z.number() });

const takeout = z.object({
  photoTakenTime: z.object({ timestamp: z.coerce.number() }).optional().catch(undefined),
  geoData: takeoutPlace.optional().catch(undefined),
  geoDataExif: takeoutPlace.optional().catch(undefined),
});

/** Reads the JSON that Takeout writes about a picture; empty if it is something else. */
export function readTakeout(text: string): Geotag {
  const { data } = takeout.safeParse(jsonOf(text));
  const seconds = data?.photoTakenTime?.timestamp;
  return {
    coordinates: coordinatesOf(data?.geoData) ?? coordinatesOf(data?.geoDataExif),
    time: seconds === undefined ? undefined : instant(seconds * 1000),
  };
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
