import { readFile } from 'node:fs/promises';
import { sharp } from '../libvips.js';
import type { Pixels } from '../pixels.js';
import { isCorrupt, Refused } from '../refused.js';
import { restarts } from './restarts.js';
import type { Salvager } from './salvager.js';
import { twoFillings } from './two-fillings.js';

const countedColumns = 64;
const countedRows = 1024;

/** How libjpeg renders missing data: every channel at its midpoint. */
const fills = [
  [128, 128, 128],
  // The same in CMYK.
  [83, 73, 68],
] as const;
const conversionTolerance = 6;

/** Checks all corners, since the image may have been rotated. */
function hasBlankCorner({ data, width, height, channels }: Pixels): boolean {
  const corners = [0, width - 1, (height - 1) * width, height * width - 1];
  return corners.some((corner) =>
    fills.some((fill) =>
      fill.every(
        (value, i) => Math.abs(value - (data[corner * channels + i] ?? NaN)) <= conversionTolerance,
      ),
    ),
  );
}

/** True if the data of a scan ended, or resumed after a gap, before the image was complete. */
async function endsEarly(path: string): Promise<boolean> {
  const { height } = await sharp(path, { failOn: 'none' }).metadata();
  // All rows at full size: libvips checks for warnings only when it moves on to another row.
  const column = sharp(path, { failOn: 'warning', sequentialRead: true })
    .extract({ left: 0, top: 0, width: 1, height })
    .raw();
  const warning = await column.toBuffer().then(
    () => '',
    (error: Error) => error.message,
  );
  return /premature end|instead of RST/.test(warning);
}

/** The fraction of rows, from the bottom up, that libjpeg had no data for. */
async function blankRows(path: string): Promise<number> {
  const { height, space } = await sharp(path, { failOn: 'none' }).metadata();
  const channels = space === 'cmyk' ? 'cmyk' : 'srgb';
  const { data, info } = await sharp(path, { failOn: 'none', ignoreIcc: true })
    .pipelineColourspace(channels)
    .resize(countedColumns, Math.min(height, countedRows), { fit: 'fill', kernel: 'nearest' })
    .toColourspace(channels)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw new Refused('corrupt_image', error.message);
    });
  const bytes = info.width * info.channels;
  let sound = info.height;
  const isBlank = (value: number): boolean => value === 127 || value === 128;
  while (sound > 0 && data.subarray((sound - 1) * bytes, sound * bytes).every(isBlank)) sound--;
  return 1 - sound / info.height;
}

/**
 * A truncated JPEG still decodes, blank from the truncation on. One with several scans that is
 * truncated in a later scan is complete, only coarser.
 */
export const jpeg: Salvager = {
  // An end marker may have been added where the data was truncated.
  isTruncated: async (path, { pixels }) => hasBlankCorner(pixels) && (await endsEarly(path)),
  async salvage(path, open) {
    try {
      return { ...(await open(path)), missing: await blankRows(path) };
    } catch (error) {
      const fill = isCorrupt(error) ? restarts(await readFile(path)) : undefined;
      if (!fill) throw error;
      return twoFillings(fill, open);
    }
  },
};
