import { randomFillSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesPerMegabyte } from '../../src/base/units.js';
import { sha256 } from '../../testkit/fetch.js';
import { readPhoto } from '../../testkit/photos.js';

/** A picture on the disk of a phone. */
export interface PhoneFile {
  readonly path: string;
  readonly bytes: number;
  readonly hash: string;
}

/** A photograph with so many bytes that it has no equal: what follows the end of a JPEG is not read. */
export async function makeFile(
  folder: string,
  name: string,
  megabytes: number,
): Promise<PhoneFile> {
  const photo = await readPhoto('landscape_6.jpg');
  const bytes = Math.round(megabytes * bytesPerMegabyte);
  const file = Buffer.concat([photo, randomFillSync(Buffer.alloc(bytes - photo.length))]);
  const path = join(folder, name);
  await writeFile(path, file);
  return { path, bytes, hash: sha256(file) };
}

/** Sizes from 1 to 30 MB, most of them small: `part` from 0 to 1. */
export const megabytesOf = (part: number): number => 1 + 29 * part ** 5;
