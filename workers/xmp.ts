import { XMLParser } from 'fast-xml-parser';
import { type ExifData, timeFrom } from '../src/imaging/exif.js';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: false, // against entity expansion attacks
});

const maxDepth = 16;
/** Properties for the time when it was taken, the most exact first. */
const times = [
  'exif:DateTimeOriginal',
  'photoshop:DateCreated',
  'exif:DateTimeDigitized',
  'xmp:CreateDate',
  'xap:CreateDate',
];

/** Properties are attributes or elements at any depth; the first of each name counts. */
function gather(node: unknown, into: Map<string, string>, depth: number): void {
  if (typeof node !== 'object' || node === null || depth > maxDepth) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') {
      if (!into.has(name)) into.set(name, value);
    } else gather(value, into, depth + 1);
  }
}

/** `48,51.5N`, `48,51,30N`, or a signed number of degrees, as some drones write it. */
function degrees(text: string | undefined, hemispheres: string, limit: number): number | undefined {
  const parts =
    /^\s*([+-]?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?)?\s*([NSEW]?)\s*$/i.exec(
      text ?? '',
    );
  if (!parts) return undefined;
  const [d = NaN, m = 0, s = 0] = parts.slice(1, 4).map((part) => Number(part ?? 0));
  const letter = (parts[4] ?? '').toUpperCase();
  const size = Math.abs(d) + m / 60 + s / 3600;
  if (!hemispheres.includes(letter) || !(size <= limit)) return undefined;
  return letter === hemispheres[1] || d < 0 ? 0 - size : size;
}

/** Location and time from an XMP packet; nothing if it is something else. */
export function readXmp(packet: Buffer): ExifData {
  const properties = new Map<string, string>();
  try {
    const text = packet.toString('utf8').replace(/\0+$/, '');
    gather(parser.parse(text), properties, 0);
  } catch {
    return {};
  }
  const one = (names: readonly string[]): string | undefined =>
    names.map((name) => properties.get(name)).find((text) => text !== undefined);
  const latitude = degrees(one(['exif:GPSLatitude', 'drone-dji:GpsLatitude']), 'NS', 90);
  const longitude = degrees(
    one(['exif:GPSLongitude', 'drone-dji:GpsLongitude', 'drone-dji:GpsLongtitude']),
    'EW',
    180,
  );
  const taken = times.map((name) => timeFrom(properties.get(name))).find(Boolean);
  return {
    ...(latitude !== undefined &&
      longitude !== undefined && { coordinates: { latitude, longitude } }),
    ...(taken && { taken }),
  };
}
