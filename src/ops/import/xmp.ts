import { XMLParser } from 'fast-xml-parser';
import type { WallClock } from '../../base/time.js';
import type { Geotag } from './own-exif.js';
import { instant } from './takeout.js';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: false, // against entity expansion attacks
});

/** Properties for the time when it was taken, the most exact first. */
const times = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate'] as const;

/** Reads an XMP file; empty if it is something else. */
export function readXmp(text: string, clock: WallClock): Geotag {
  const properties = new Map<string, string>();
  try {
    gather(parser.parse(text), properties, 0);
  } catch {
    return {};
  }
  const latitude = degrees(properties.get('exif:GPSLatitude'), 'NS', 90);
  const longitude = degrees(properties.get('exif:GPSLongitude'), 'EW', 180);
  const time = times.map((name) => timeFrom(properties.get(name), clock)).find(Boolean);
  return {
    coordinates:
      latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    time,
  };
}

/** Properties are attributes or elements at any depth; the first of each name counts. */
function gather(node: unknown, into: Map<string, string>, depth: number): void {
  if (typeof node !== 'object' || node === null || depth > 16) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') {
      if (!into.has(name)) into.set(name, value);
    } else gather(value, into, depth + 1);
  }
}

/** `48,51.5N` or `48,51,30N`. */
function degrees(text: string | undefined, hemispheres: string, limit: number): number | undefined {
  const [, d, m, s = '0', letter = ''] =
    /^\s*(\d+),(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?([NSEW])\s*$/.exec(text ?? '') ?? [];
  if (d === undefined || !hemispheres.includes(letter)) return undefined;
  const value = Number(d) + Number(m) / 60 + Number(s) / 3600;
  if (!(value <= limit)) return undefined;
  return letter === hemispheres[1] ? 0 - value : value;
}

/** ISO 8601; without an offset, in the configured zone. */
function timeFrom(text: string | undefined, clock: WallClock): Date | undefined {
  const [, year, month, day, hour, minute, second = '00', offset] =
    /^\s*(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?\s*$/.exec(
      text ?? '',
    ) ?? [];
  if (year === undefined) return undefined;
  if (offset === undefined) {
    return clock.parse(`${year}${month}${day}_${hour}${minute}${second}`);
  }
  return instant(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`));
}
