/**
 * Compares what cameras knew of pictures, as imgstore reads it, with what exiftool reads:
 * `node scripts/compare-metadata.mjs FOLDER…`, after a build. Exit code 1 if they differ on a file.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../dist/testkit/installed.js';
import { readMetadata } from '../dist/workers/metadata.js';
import { magicOf, sniffBytes } from '../dist/workers/sniff.js';

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
const offsets = ['EXIF:OffsetTimeOriginal', 'EXIF:OffsetTime', 'EXIF:OffsetTimeDigitized'];
const numbers = { direction: 'GPSImgDirection', accuracy: 'GPSHPositioningError' };
const asked = [...dates, ...iptcDates, ...offsets];
for (const name of ['GPSLatitude', 'GPSLongitude', 'GPSAltitude', 'GPSAltitudeRef']) {
  asked.push(`Composite:${name}`, `EXIF:${name}`, `XMP:${name}`);
}
for (const name of [...Object.values(numbers), 'Make', 'Model']) {
  asked.push(`EXIF:${name}`, `XMP:${name}`);
}

function formatOf(path) {
  const [head, file] = [Buffer.alloc(sniffBytes), openSync(path)];
  const length = readSync(file, head, 0, sniffBytes, 0);
  closeSync(file);
  const magic = magicOf(head.subarray(0, length));
  return magic === 'isobmff' ? 'heif' : magic;
}

function theirs(path) {
  const fields = asked.map((name) => `-${name}`);
  const text = execFileSync('exiftool', ['-n', '-j', '-G0', ...fields, path], { stdio: 'pipe' });
  const [record] = JSON.parse(text);
  const either = (name) => record[`EXIF:${name}`] ?? record[`XMP:${name}`];
  const time = [...dates, ...iptcDates]
    .map((name) => /^(\d{4}:\d\d:\d\d \d\d:\d\d)(:\d\d)?/.exec(record[name] ?? ''))
    .find((found) => found && !found[0].startsWith('0000'));
  const [latitude, longitude] = ['GPSLatitude', 'GPSLongitude'].map(
    (name) => record[`Composite:${name}`] ?? record[`XMP:${name}`],
  );
  const isPlace = typeof latitude === 'number' && typeof longitude === 'number';
  return {
    time: time && `${time[1]}${time[2] ?? ':00'}`.replaceAll(/\D/g, ''),
    place: isPlace ? [latitude, longitude].map((value) => value.toFixed(6)).join() : undefined,
    direction: shown(either(numbers.direction)),
    altitude: shown(record['Composite:GPSAltitude'] ?? record['XMP:GPSAltitude']),
    accuracy: shown(either(numbers.accuracy)),
    camera: cameraOf(String(either('Make') ?? ''), String(either('Model') ?? '')),
  };
}

const shown = (number) => (typeof number === 'number' ? number.toFixed(3) : undefined);

/** Make and model, unless both begin with the same word. */
function cameraOf(make, model) {
  const [one, other] = [make, model].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const [word, same] = [one, other].map((text) => /[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase());
  return (word && word === same ? other : `${one} ${other}`.trim()) || undefined;
}

function ours(path, format) {
  const read = readMetadata(path, format);
  const { coordinates, taken, direction, altitude, accuracy, camera } = read;
  return {
    time: taken?.wallTime.replace('_', ''),
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

let [compared, different] = [0, 0];
const known = new Map();
for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const format = formatOf(path);
    if (!format) continue;
    const [a, b] = [ours(path, format), theirs(path)];
    compared++;
    for (const field of Object.keys(b)) {
      if (b[field] !== undefined) known.set(field, (known.get(field) ?? 0) + 1);
    }
    const others = Object.keys(b).filter((field) => a[field] !== b[field]);
    if (others.length === 0) continue;
    different++;
    const list = others.map((field) => `${field} ${a[field]}, exiftool ${b[field]}`);
    console.log(`${name}: ${list.join('; ')}`);
  }
}
const counts = [...known].map(([field, count]) => `${count} with ${field}`);
console.log([`${compared} files`, ...counts, `${different} differ`].join(', '));
process.exitCode = different > 0 ? 1 : 0;
