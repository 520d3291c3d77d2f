import { DateTime, IANAZone } from 'luxon';
import { minuteMs, secondMs } from './units.js';

/** A time range; `to` is exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const quarterHour = 15 * minuteMs;

const two = (n: number): string => (n < 10 ? `0${n}` : String(n));

/**
 * Times in the API's format, `YYYYMMDD_HHMMSS` in one time zone. Zone offsets change only on
 * quarter hours, so one lookup serves every time in that quarter.
 */
export class WallClock {
  readonly #zone: IANAZone;
  readonly #offsets = new Map<number, number>();

  constructor(readonly zoneName: string) {
    this.#zone = IANAZone.create(zoneName);
  }

  /** `YYYYMMDD_HHMMSS` */
  format(time: Date): string {
    const t = this.#shifted(time);
    return `${ymd(t)}_${two(t.getUTCHours())}${two(t.getUTCMinutes())}${two(t.getUTCSeconds())}`;
  }

  /** `YYYYMMDD_HHMMSS_mmm` */
  formatMillis(time: Date): string {
    return `${this.format(time)}_${String(time.getUTCMilliseconds()).padStart(3, '0')}`;
  }

  /** The instant of a local time `YYYYMMDD_HHMMSS`; undefined if there is no such time. */
  parse(text: string): Date | undefined {
    if (!/^\d{8}_\d{6}$/.test(text)) return undefined;
    const time = DateTime.fromFormat(text, 'yyyyMMdd_HHmmss', { zone: this.#zone });
    return time.isValid && time.year > 0 ? time.toJSDate() : undefined;
  }

  /** The day `YYYYMMDD`, from midnight to midnight: 23, 24 or 25 hours. */
  day(text: string): Span | undefined {
    const day = readDay(text, this.#zone);
    return day && { from: midnight(day), to: midnight(day.plus({ days: 1 })) };
  }

  /**
   * A day, or the second `YYYYMMDD_HHMMSS`; where clocks go back, from its first start to its last
   * end.
   */
  dayOrSecond(text: string): Span | undefined {
    const time = this.parse(text);
    if (!time) return this.day(text);
    const times = DateTime.fromJSDate(time, { zone: this.#zone }).getPossibleOffsets();
    const millis = times.map((one) => one.toMillis());
    return { from: new Date(Math.min(...millis)), to: new Date(Math.max(...millis) + secondMs) };
  }

  /** This many days before a time, at the same time of day. */
  daysBefore(time: Date, days: number): Date {
    return DateTime.fromJSDate(time, { zone: this.#zone }).minus({ days }).toJSDate();
  }

  #shifted(time: Date): Date {
    const millis = time.getTime();
    const quarter = Math.floor(millis / quarterHour);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#zone.offset(millis) * minuteMs;
      if (this.#offsets.size >= 10_000) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return new Date(millis + offset);
  }
}

/** The day `YYYYMMDD` in any zone, as `YYYY-MM-DD`. */
export const isoDay = (text: string): string | undefined =>
  readDay(text, IANAZone.create('UTC'))?.toFormat('yyyy-MM-dd');

function readDay(text: string, zone: IANAZone): DateTime | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  const day = DateTime.fromFormat(text, 'yyyyMMdd', { zone });
  return day.isValid && day.year > 0 ? day : undefined;
}

/** The first instant of a day; the earlier one if midnight occurs twice. */
const midnight = (day: DateTime): Date =>
  new Date(
    Math.min(
      ...day
        .startOf('day')
        .getPossibleOffsets()
        .map((one) => one.toMillis()),
    ),
  );

const ymd = (t: Date): string =>
  `${String(t.getUTCFullYear()).padStart(4, '0')}${two(t.getUTCMonth() + 1)}${two(t.getUTCDate())}`;
