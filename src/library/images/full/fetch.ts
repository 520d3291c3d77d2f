import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceError, unavailable } from '../../../base/errors/catalogue.js';
import type { FreeDisk } from '../../../base/os/machine.js';
import { writeHashed } from '../../../http/upload.js';
import type { PictureFile } from '../../../imaging/port.js';

/**
 * Copies a picture into a folder of its own, which it makes, and where the imaging process can be lent
 * it. @throws ServiceError `unavailable` when the object store or the disk fails.
 */
export async function fetchPicture(
  picture: Readable,
  folder: string,
  disk: Pick<FreeDisk, 'assertFree'>,
): Promise<PictureFile> {
  const path = join(folder, 'original');
  try {
    await mkdir(folder, { mode: 0o700 });
    const chunks = picture as Readable & AsyncIterable<Buffer>;
    const { hash } = await writeHashed(chunks, path, () => disk.assertFree());
    return { path, hash };
  } catch (error) {
    throw error instanceof ServiceError ? error : unavailable('The object store', error);
  } finally {
    picture.destroy();
  }
}
