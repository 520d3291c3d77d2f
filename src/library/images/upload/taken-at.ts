import type { ProcessedImage } from '../../../imaging/port.js';
import { WallClock } from '../../../base/time.js';
import { minuteMs } from '../../../base/units.js';

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
