import type { Pixels } from './pixels.js';
import { openDirectories } from './tiff-directory.js';
import { withFile } from './tiff-file.js';
import { tiffTag } from './tiff-tags.js';

/**
 * True when nothing was decoded: libtiff leaves tiles of a compression that it does not have, such
 * as JPEG of the old style, transparent although the file knows no transparency.
 */
export function isBlankTiff(path: string, { data, channels }: Pixels): boolean {
  if (channels === 3 || data.some((value) => value !== 0)) return false;
  return withFile(path, (readAt) => {
    const directories = openDirectories(readAt);
    const samples = directories
      ?.read(directories.first, [tiffTag.samplesPerPixel])
      .get(tiffTag.samplesPerPixel);
    return Number(samples?.[0] ?? 1) < channels;
  });
}
