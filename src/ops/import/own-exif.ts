import { open } from 'node:fs/promises';
import { takenAt } from '../../library/images/upload/service.js';
import type { ProcessedImage } from '../../imaging/port.js';
import type { WallClock } from '../../base/time.js';
import { readExif, readTiffExif } from '../../imaging/exif.js';

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
