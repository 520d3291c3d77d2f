import { open } from 'node:fs/promises';
import { takenAt } from '../../images/upload/taken-at.js';
import type { ProcessedImage } from '../../imaging/port.js';
import type { WallClock } from '../../time.js';
import { readExif, readTiffExif } from '../../../workers/exif.js';

/** Where and when a picture was taken, as far as it is known. */
export interface Whereabouts {
  readonly place?: NonNullable<ProcessedImage['coordinates']> | undefined;
  readonly time?: Date | undefined;
}

/** Bytes at the beginning in which cameras and phones put it. */
const searchedBytes = 1024 * 1024;

/** What introduces EXIF in JPEG and HEIC, in PNG, and in WebP. */
const introduced = /(?:Exif\0\0|eXIf|EXIF[^]{4}(?:Exif\0\0)?)(?=II\*\0|MM\0\*)/;

/**
 * What a file itself says, by the service's own reader. Looked for without decoding: EXIF that is
 * far behind the beginning is not seen, and then counts as absent.
 */
export async function ownWhereabouts(path: string, clock: WallClock): Promise<Whereabouts> {
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
  return { place: exif.coordinates, time: takenAt(exif, clock) ?? undefined };
}
