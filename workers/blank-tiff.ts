import type { Pixels } from './pixels.js';
import { openDirectories } from './tiff-directory.js';
import { withFile } from './tiff-file.js';
import { tiffTag } from './tiff-tags.js';

/**
 * True if nothing was decoded: libtiff leaves tiles in a compression that it lacks, such as
 * old-style JPEG, transparent although the file has no transparency.
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
