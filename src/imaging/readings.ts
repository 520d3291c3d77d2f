/**
 * Values that files of pictures state, in EXIF as well as in XMP: checked, and undefined where they are
 * impossible.
 */

import { isUtf8 } from 'node:buffer';
import type { CameraData } from './port.js';

/** Without what is undefined. */
export const present = <T extends object>(
  values: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Bounds in meters; beyond is what a broken writer leaves, such as 2^32 - 1. */
export const altitudeBounds = { min: -12_000, max: 100_000 } as const;
export const maxAccuracy = 1_000_000;

/** Characters of `camera`. */
export const maxCamera = 255;

/** Of what is computed from fractions, six decimals are meant; never -0. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;

/** Degrees from north; 360 is 0. */
export function directionFrom(degrees: number | undefined): number | undefined {
  if (degrees === undefined || !(degrees >= 0 && degrees <= 360)) return undefined;
  return rounded(degrees) % 360;
}

/** @param ref of EXIF: 1 and 3 are below the sea, or below the ellipsoid. */
export function altitudeFrom(meters: number | undefined, ref = 0): number | undefined {
  if (meters === undefined) return undefined;
  const altitude = ref === 1 || ref === 3 ? 0 - Math.abs(meters) : meters;
  const { min, max } = altitudeBounds;
  return altitude >= min && altitude <= max ? rounded(altitude) : undefined;
}

export function accuracyFrom(meters: number | undefined): number | undefined {
  return meters !== undefined && meters >= 0 && meters <= maxAccuracy ? rounded(meters) : undefined;
}

/** EXIF 3.0 has UTF-8 where EXIF 2 had ASCII, which was read byte by byte. */
export function asUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}

const cleaned = (text = ''): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}+/gu, '')
    .trim();

const firstWord = (text: string): string | undefined =>
  /[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase();

/** Make and model; the model alone when both begin with the same word. */
export function cameraFrom(
  make: string | undefined,
  model: string | undefined,
): string | undefined {
  const [one, other] = [cleaned(make), cleaned(model)];
  const isRepeated = firstWord(one) !== undefined && firstWord(one) === firstWord(other);
  const name = (isRepeated ? other : `${one} ${other}`).trim();
  return name === '' ? undefined : [...name].slice(0, maxCamera).join('').trimEnd();
}

export type Taken = NonNullable<CameraData['taken']>;

/** Minutes east of UTC, from `+09:00` or the variants `+0900`, `+9:00`, `+09`, and `Z` of some writers. */
export function offsetFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*(?:z|utc|gmt)\s*$/i.test(text)) return 0;
  const parts = /^\s*([+-])(\d\d?)(?:(?::|(?<=\d\d))([0-5]\d))?\s*$/.exec(text);
  if (!parts) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  if (minutes > eastmost) return undefined;
  return parts[1] === '-' ? 0 - minutes : minutes;
}

/** The widest offsets in use, in minutes. */
const eastmost = 14 * 60;
const westmost = -12 * 60;

// Colons by the standard; tools and some cameras write dashes, slashes, or ISO 8601 with its zone, and
// leave out the seconds.
const form =
  /^\s*(\d{4})[-:/. ]\s*(\d\d?)[-:/. ]\s*(\d\d?)(?:[\sT_]+)(\d\d?)[:.](\d\d?)(?:[:.](\d\d?)(?:[.,]\d+)?)?(.*)$/is;

/** A time as written in EXIF or XMP, with the offset that follows it, if any. */
export function timeFrom(text: string | undefined): Taken | undefined {
  const parts = form.exec(text ?? '');
  if (!parts) return undefined;
  const [year = 0, ...rest] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const [month = 0, day = 0, written = 0, minute = 0, second = 0] = rest;
  // Some cameras count the hour after midnight as the 24th of the day that begins.
  const hour = written === 24 ? 0 : written;
  const fields = [month, day, hour, minute].map((field) => String(field).padStart(2, '0'));
  const iso = `${String(year).padStart(4, '0')}-${fields[0]}-${fields[1]}T${fields[2]}:${fields[3]}`;
  const time = new Date(`${iso}:00.000Z`);
  // Impossible dates are either invalid or normalized to another day. Second 60 is a leap second.
  if (year < 1 || second > 60 || Number.isNaN(time.getTime())) return undefined;
  if (!time.toISOString().startsWith(iso)) return undefined;
  time.setUTCSeconds(second);
  const wallTime = time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
  const offsetMinutes = offsetFrom(parts[7]);
  return offsetMinutes === undefined ? { wallTime } : { wallTime, offsetMinutes };
}

/** Where else in a file it says how far its times are from UTC. */
export interface OffsetSources {
  /** Offsets of other times of EXIF, in minutes. */
  readonly offset?: number;
  /** What GPS said at that moment, in UTC: `YYYYMMDD_HHMMSS`. */
  readonly gpsTime?: string;
}

/** Adds the offset that a time itself does not state. */
export function withOffset(
  taken: Taken | undefined,
  { offset, gpsTime }: OffsetSources,
): Taken | undefined {
  if (taken === undefined || taken.offsetMinutes !== undefined) return taken;
  const offsetMinutes = offset ?? offsetByGps(taken, gpsTime);
  return offsetMinutes === undefined ? taken : { ...taken, offsetMinutes };
}

const quarter = 15;

/** To the quarter of an hour, since the fix of GPS may be some minutes old. */
function offsetByGps({ wallTime }: Taken, gpsTime: string | undefined): number | undefined {
  if (gpsTime === undefined) return undefined;
  const difference = (minuteOf(wallTime) - minuteOf(gpsTime)) / quarter;
  const minutes = Math.round(difference) * quarter + 0;
  return minutes >= westmost && minutes <= eastmost ? minutes : undefined;
}

const minuteOf = (wallTime: string): number => {
  const iso = wallTime.replace(/(....)(..)(..)_(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
  return Date.parse(iso) / 60_000;
};
