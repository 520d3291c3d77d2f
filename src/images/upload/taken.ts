import type { ImageFacts } from '../../imaging/port.js';
import { WallClock } from '../../time.js';
import { minuteMs } from '../../units.js';

const utc = new WallClock('UTC');

/** Of `YYYYMMDD_HHMMSS`, whose year has more digits, or a sign, beyond its range. */
const yearOf = (time: Date, clock: WallClock): number => Number(clock.format(time).slice(0, -11));

/**
 * The instant that EXIF tells. Without an offset its wall time is of the configured zone.
 *
 * @returns null for none, and for one whose year is not from 1 to 9999 in UTC or in that zone.
 */
export function takenAt({ taken }: Pick<ImageFacts, 'taken'>, clock: WallClock): Date | null {
  if (!taken) return null;
  const { wallTime, offsetMinutes } = taken;
  const told = (offsetMinutes === undefined ? clock : utc).parse(wallTime);
  if (!told) return null;
  const time = new Date(told.getTime() - (offsetMinutes ?? 0) * minuteMs);
  const years = [utc, clock].map((zone) => yearOf(time, zone));
  return years.every((year) => year >= 1 && year <= 9999) ? time : null;
}
