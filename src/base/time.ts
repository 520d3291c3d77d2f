import { DateTime, IANAZone } from 'luxon';
import { dayMs, secondMs } from './units.js';

/** A time range; `to` is exclusive. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

const daySeconds = dayMs / secondMs;
const hourSeconds = 3600;

/** 0 to 59 as `00` to `59`. */
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const two = (n: number): string => twoDigits[n] ?? '';

/** The offset of a zone during a day of UTC, in seconds: it may change once. */
interface DayOffsets {
  readonly before: number;
  /** Second since 1970; Infinity on most days. */
  readonly change: number;
  readonly after: number;
}

/** Cached days: 27 years. */
const maxDays = 10_000;

/** Times in the API's format, `YYYYMMDD_HHMMSS` in one time zone. */
export class WallClock {
  readonly #zone: IANAZone;
  /** By UTC day. */
  readonly #offsets = new Map<number, DayOffsets>();
  /** Formatted local days. */
  readonly #days = new Map<number, string>();

  constructor(readonly zoneName: string) {
    this.#zone = IANAZone.create(zoneName);
  }

  /** `YYYYMMDD_HHMMSS` */
  format(time: Date): string {
    return this.formatSecond(Math.floor(time.getTime() / secondMs));
  }

  /** The same for a second since 1970. */
  formatSecond(second: number): string {
    const local = second + this.#offset(second);
    const day = Math.floor(local / daySeconds);
    const rest = local - day * daySeconds;
    const hour = Math.floor(rest / hourSeconds);
    const minute = Math.floor(rest / 60) % 60;
    return `${this.#day(day)}_${two(hour)}${two(minute)}${two(rest % 60)}`;
  }

  /** The instant, in milliseconds, at which clocks in UTC show what they show here at another. */
  asUtc(millis: number): number {
    return millis + this.#offset(Math.floor(millis / secondMs)) * secondMs;
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
  day(text: string): TimeSpan | undefined {
    const day = readDay(text, this.#zone);
    return day && { from: midnight(day), to: midnight(day.plus({ days: 1 })) };
  }

  /**
   * A day, or the second `YYYYMMDD_HHMMSS`; where clocks go back, from its first start to its last
   * end.
   */
  dayOrSecond(text: string): TimeSpan | undefined {
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

  /** In seconds, at a second since 1970. */
  #offset(second: number): number {
    const day = Math.floor(second / daySeconds);
    const { before, change, after } = cached(this.#offsets, day, () => this.#offsetsOf(day));
    return second < change ? before : after;
  }

  /**
   * Looking up an offset takes as long as formatting ten times. No zone has ever changed its offset
   * twice within three days, so comparing both ends of a day is enough.
   */
  #offsetsOf(day: number): DayOffsets {
    const offsetAt = (second: number): number =>
      Math.round(this.#zone.offset(second * secondMs) * 60);
    let [start, end] = [day * daySeconds, (day + 1) * daySeconds];
    const [before, after] = [offsetAt(start), offsetAt(end)];
    if (before === after) return { before, change: Infinity, after };
    while (end - start > 1) {
      const middle = Math.floor((start + end) / 2);
      if (offsetAt(middle) === before) start = middle;
      else end = middle;
    }
    return { before, change: end, after };
  }

  #day(day: number): string {
    return cached(this.#days, day, () => ymd(new Date(day * dayMs)));
  }
}

function cached<Value>(of: Map<number, Value>, day: number, make: () => Value): Value {
  const known = of.get(day);
  if (known !== undefined) return known;
  if (of.size >= maxDays) of.clear();
  const made = make();
  of.set(day, made);
  return made;
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
