/**
 * Compares what cameras knew of pictures, as imgstore reads it, with what exiftool reads:
 * `node dist/scripts/compare-metadata.js FOLDER…`, after a build, of all pictures in these folders and those
 * below. Public sets to compare, each fetched with `git clone --depth 1 https://github.com/…`:
 *
 *     ianare/exif-samples  drewnoakes/metadata-extractor-images  exiftool/exiftool  Exiv2/exiv2
 *     MikeKovarik/exifr  libexif/libexif-testsuite  mattiasw/ExifReader
 *
 * Exit code 1 if they differ on a file. Files that exiftool calls damaged are listed apart: where it stops
 * at the first broken entry, imgstore goes on with the next, and takes text that is no UTF-8 for Latin-1.
 * It asks the main directory alone for the camera, not those of thumbnails and further pages.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { minuteMs } from '../src/base/units.js';
import { ensureInstalled } from '../testkit/installed.js';
import { readMetadata } from '../workers/metadata.js';
import { magicOf, sniffBytes } from '../workers/sniff.js';

type ImageFormat = Parameters<typeof readMetadata>[1];

/** What exiftool reads of a file, by group and name. */
type Read = Readonly<Record<string, string | number | undefined>>;

/** What is compared. */
interface Compared {
  readonly time: string | undefined;
  readonly offset: number | undefined;
  readonly place: string | undefined;
  readonly direction: string | undefined;
  readonly altitude: string | undefined;
  readonly accuracy: string | undefined;
  readonly camera: string | undefined;
}

const dates = [
  'EXIF:DateTimeOriginal',
  'EXIF:CreateDate',
  'XMP:DateTimeOriginal',
  'XMP:DateCreated',
  'XMP:DateTimeDigitized',
  'XMP:CreateDate',
];
/** IPTC has dates and times apart; exiftool joins them. */
const iptcDates = ['Composite:DateTimeCreated', 'Composite:DigitalCreationDateTime'];
const offsets = ['EXIF:OffsetTimeOriginal', 'EXIF:OffsetTimeDigitized', 'EXIF:OffsetTime'];
/** The offset of each of the first two times. */
const ownOffsets = new Map(dates.slice(0, 2).map((name, i) => [name, offsets[i]]));
const gpsTimes = ['EXIF:GPSDateStamp', 'EXIF:GPSTimeStamp'];
const numbers = { direction: 'GPSImgDirection', accuracy: 'GPSHPositioningError' };
const asked = [...dates, ...iptcDates, ...offsets, ...gpsTimes];
for (const name of ['GPSLatitude', 'GPSLongitude', 'GPSAltitude', 'GPSAltitudeRef']) {
  asked.push(`Composite:${name}`, `EXIF:${name}`, `XMP:${name}`);
}
for (const name of Object.values(numbers)) asked.push(`EXIF:${name}`, `XMP:${name}`);
for (const name of ['Make', 'Model']) asked.push(`IFD0:${name}`, `XMP:${name}`);
const damages = ['ExifTool:Error', 'ExifTool:Warning'];
asked.push(...damages);

function formatOf(path: string): ImageFormat | undefined {
  const [head, file] = [Buffer.alloc(sniffBytes), openSync(path, 'r')] as const;
  const length = readSync(file, head, 0, sniffBytes, 0);
  closeSync(file);
  const magic = magicOf(head.subarray(0, length));
  return magic === 'isobmff' ? 'heif' : magic;
}

/** What exiftool reads of these files, by their paths. */
function recordsOf(paths: readonly string[]): Map<string, Read> {
  const fields = asked.map((one) => `-${one}`);
  const { stdout } = spawnSync('exiftool', ['-n', '-j', '-G0', '-q', '-q', ...fields, '-@', '-'], {
    input: paths.join('\n'),
    maxBuffer: 2 ** 28,
  });
  const records = JSON.parse(stdout.toString()) as (Read & { SourceFile: string })[];
  return new Map(records.map((record) => [record.SourceFile, record]));
}

/** Date, minutes, seconds, and the zone. */
const written = /^(\d{4}:\d\d:\d\d[ T]\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?/;

function theirs(record: Read): Compared {
  const either = (name: string): string | number | undefined =>
    record[`EXIF:${name}`] ?? record[`XMP:${name}`];
  const [date = '', parts] =
    [...dates, ...iptcDates]
      .map((name) => [name, written.exec(String(record[name] ?? ''))] as const)
      .find(([, found]) => found && !found[0].startsWith('0000')) ?? [];
  const place = ['Composite', 'XMP']
    .map((group) => [record[`${group}:GPSLatitude`], record[`${group}:GPSLongitude`]])
    .find((pair): pair is number[] => pair.every((value) => typeof value === 'number'));
  return {
    time: parts ? `${parts[1]}${parts[2] ?? ':00'}`.replaceAll(/\D/g, '') : undefined,
    offset: parts ? offsetOf(record, date, parts) : undefined,
    place: place?.map((value) => value.toFixed(6)).join(),
    direction: shown(either(numbers.direction)),
    altitude: shown(record['Composite:GPSAltitude'] ?? either('GPSAltitude')),
    accuracy: shown(either(numbers.accuracy)),
    camera: cameraOf(String(either('Make') ?? ''), String(either('Model') ?? '')),
  };
}

/** Minutes east of UTC: as the time itself says, or any other, or GPS to the quarter of an hour. */
function offsetOf(
  record: Read,
  date: string,
  [, minute = '', , zone]: RegExpExecArray,
): number | undefined {
  for (const text of [
    zone,
    ...[ownOffsets.get(date) ?? '', ...offsets].map((one) => record[one]),
  ]) {
    const parts = /^(?:Z|([+-])(\d\d):?(\d\d))$/.exec(String(text ?? ''));
    if (parts)
      return Number(`${parts[1] ?? ''}${Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0)}`);
  }
  const minutesOf = (text: string): number =>
    Date.parse(`${text.replace(':', '-').replace(':', '-').replace(' ', 'T')}Z`) / minuteMs;
  const gps = gpsTimes.map((one) => record[one]).join(' ');
  const offset = Math.round((minutesOf(minute) - minutesOf(gps.slice(0, 16))) / 15) * 15;
  return offset >= -12 * 60 && offset <= 14 * 60 ? offset : undefined;
}

const shown = (value: unknown): string | undefined =>
  typeof value === 'number' ? value.toFixed(3) : undefined;

/** Make and model, unless both begin with the same word. */
function cameraOf(make: string, model: string): string | undefined {
  const [one = '', other = ''] = [make, model].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const [word, same] = [one, other].map((text) => /[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase());
  return (word && word === same ? other : `${one} ${other}`.trim()) || undefined;
}

function ours(path: string, format: ImageFormat): Compared {
  const read = readMetadata(path, format);
  const { coordinates, taken, direction, altitude, accuracy, camera } = read;
  return {
    time: taken?.wallTime.replace('_', ''),
    offset: taken?.offsetMinutes,
    place:
      coordinates &&
      [coordinates.latitude, coordinates.longitude].map((value) => value.toFixed(6)).join(),
    direction: shown(direction),
    altitude: shown(altitude),
    accuracy: shown(accuracy),
    camera,
  };
}

await ensureInstalled(
  { purpose: 'Comparisons', programs: ['exiftool'], packages: ['libimage-exiftool-perl'] },
  console.log,
);

let [compared, different, damaged] = [0, 0, 0];
const known = new Map<string, number>();
for (const folder of process.argv.slice(2)) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const format = formatOf(path);
      return format ? [[path, format] as const] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const records = recordsOf(files.map(([path]) => path));
  for (const [path, format] of files) {
    const record = records.get(path) ?? {};
    const [a, b] = [ours(path, format), theirs(record)];
    const fields = Object.keys(b) as (keyof Compared)[];
    compared++;
    for (const field of fields) {
      if (b[field] !== undefined) known.set(field, (known.get(field) ?? 0) + 1);
    }
    const others = fields.filter((field) => a[field] !== b[field]);
    if (others.length === 0) continue;
    const damage = damages.map((name) => record[name]).find(Boolean);
    if (damage) damaged++;
    else different++;
    const list = others.map((field) => `${field} ${a[field]}, exiftool ${b[field]}`);
    console.log(`${relative(folder, path)}: ${list.join('; ')}${damage ? ` (${damage})` : ''}`);
  }
}
const counts = [...known].map(([field, count]) => `${count} with ${field}`);
const ends = [`${damaged} differ in what is damaged`, `${different} otherwise`];
console.log([`${compared} files`, ...counts, ...ends].join(', '));
process.exitCode = different > 0 ? 1 : 0;
