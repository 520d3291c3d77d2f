import { WallClock } from '../../../base/time.js';
import { minuteMs } from '../../../base/units.js';
import type { ReceivedFile } from '../../../http/upload.js';
import { type CameraData, extensionOf, type ProcessedImage } from '../../../imaging/port.js';
import type { ObjectRole, VersionObject } from '../../../store/object-key.js';
import type { NewObject } from '../../../store/port.js';
import type { VersionAttributes } from '../entity.js';
import { originalName } from '../original-name.js';
import type { cameraOf } from '../schemas.js';
import type { FiledataFields } from './schemas.js';

// What is stored of a file that has arrived, and what it says of itself.

export const versionAttributes = (
  file: ReceivedFile,
  processed: ProcessedImage,
): VersionAttributes => ({
  format: processed.format,
  extension: extensionOf[processed.format],
  displayExtension: processed.display?.extension ?? null,
  thumbExtension: processed.thumb.extension,
  hash: file.hash,
  bytes: file.bytes,
  width: processed.width,
  height: processed.height,
  isIncomplete: processed.incomplete,
});

/** The current paths of a version's object files. */
export function newObjects(
  file: ReceivedFile,
  { display, thumb }: ProcessedImage,
  objects: readonly VersionObject[],
): NewObject[] {
  const paths: Partial<Record<ObjectRole, string | undefined>> = {
    original: file.path,
    display: display?.path,
    thumb: thumb.path,
  };
  return objects.flatMap(({ role, key }) => {
    const path = paths[role];
    if (path === undefined) return [];
    return [role === 'original' ? { key, path, sha256: file.hash.toString('hex') } : { key, path }];
  });
}

/** The name of the file: what a field says, else what it came with. */
export const nameOf = (fields: FiledataFields, file: ReceivedFile): string | null =>
  originalName(fields.original_name === undefined ? file.name : fields.original_name);

/** What the camera knew: what fields say, else what the file says. */
export const knownOf = (
  { direction, altitude, accuracy, camera }: CameraData,
  given: ReturnType<typeof cameraOf>,
) => ({
  direction: given.direction === undefined ? (direction ?? null) : given.direction,
  altitudeM: given.altitudeM === undefined ? (altitude ?? null) : given.altitudeM,
  accuracyM: given.accuracyM === undefined ? (accuracy ?? null) : given.accuracyM,
  camera: given.camera === undefined ? (camera ?? null) : given.camera,
});

const utc = new WallClock('UTC');

/** Characters of `YYYYMMDD_HHMMSS`; a year out of range has more digits, or a sign. */
const yearOf = (time: Date, clock: WallClock): number => Number(clock.format(time).slice(0, -11));

/**
 * The instant recorded in EXIF. Without an offset, its local time is in the configured zone.
 *
 * @returns null if there is none, or if its year is not from 1 to 9999 in UTC or in that zone.
 */
export function takenAt({ taken }: Pick<ProcessedImage, 'taken'>, clock: WallClock): Date | null {
  if (!taken) return null;
  const { wallTime, offsetMinutes } = taken;
  const instant = (offsetMinutes === undefined ? clock : utc).parse(wallTime);
  if (!instant) return null;
  const time = new Date(instant.getTime() - (offsetMinutes ?? 0) * minuteMs);
  const years = [utc, clock].map((zone) => yearOf(time, zone));
  return years.every((year) => year >= 1 && year <= 9999) ? time : null;
}
