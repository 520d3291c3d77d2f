import { XMLParser } from 'fast-xml-parser';
import type { CameraData } from '../src/imaging/port.js';
import {
  accuracyFrom,
  altitudeFrom,
  cameraFrom,
  directionFrom,
  type OffsetSources,
  present,
  timeFrom,
} from '../src/imaging/readings.js';

// Bounds itself against deep nesting, and knows no entities.
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

/** The properties that state each, without what may precede their names. */
const namesOf = {
  coordinates: ['Latitude'],
  taken: ['DateTimeOriginal', 'DateCreated', 'DateTimeDigitized', 'CreateDate'],
  direction: ['GPSImgDirection'],
  altitude: ['GPSAltitude'],
  accuracy: ['GPSHPositioningError'],
  camera: ['tiff:Make', 'tiff:Model'],
} as const;

/** Whether a packet may state any of these: most need not be parsed. */
export const mayState = (packet: Buffer, wanted: readonly (keyof typeof namesOf)[]): boolean =>
  wanted.some((key) => namesOf[key].some((name) => packet.includes(name)));

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

/** `2405/10`, or a decimal number. */
function numberFrom(text: string | undefined): number | undefined {
  const parts = /^\s*([+-]?\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?))?\s*$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2] ?? 1) : undefined;
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
]);

const withEntities = (text: string | undefined): string | undefined =>
  text?.replaceAll(/&\w+;/g, (entity) => entities.get(entity) ?? entity);

/** What an XMP packet says; nothing if it is something else. */
export function readXmp(packet: Buffer): CameraData & OffsetSources {
  const properties = new Map<string, string>();
  try {
    const text = packet.toString('utf8').replace(/\0+$/, '');
    gather(parser.parse(text), properties, 0);
  } catch {
    return {};
  }
  const one = (...names: readonly string[]): string | undefined =>
    names.map((name) => properties.get(name)).find((text) => text !== undefined);
  const number = (name: string): number | undefined => numberFrom(one(name));
  const latitude = degrees(one('exif:GPSLatitude', 'drone-dji:GpsLatitude'), 'NS', 90);
  const longitude = degrees(
    one('exif:GPSLongitude', 'drone-dji:GpsLongitude', 'drone-dji:GpsLongtitude'),
    'EW',
    180,
  );
  return present({
    coordinates:
      latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    taken: times.map((name) => timeFrom(one(name))).find(Boolean),
    gpsTime: timeFrom(one('exif:GPSTimeStamp', 'exif:GPSDateTime'))?.wallTime,
    direction: directionFrom(number('exif:GPSImgDirection')),
    altitude: altitudeFrom(number('exif:GPSAltitude'), number('exif:GPSAltitudeRef')),
    accuracy: accuracyFrom(number('exif:GPSHPositioningError')),
    camera: cameraFrom(withEntities(one('tiff:Make')), withEntities(one('tiff:Model'))),
  });
}
