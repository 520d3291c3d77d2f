/**
 * Compares where and when pictures were taken, as imgstore reads it, with what exiftool reads:
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
const offsets = ['EXIF:OffsetTimeOriginal', 'EXIF:OffsetTime', 'EXIF:OffsetTimeDigitized'];
const asked = [...dates, ...offsets, 'Composite:GPSLatitude', 'Composite:GPSLongitude'];
asked.push('XMP:GPSLatitude', 'XMP:GPSLongitude');

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
  const time = dates
    .map((name) => /^(\d{4}:\d\d:\d\d \d\d:\d\d)(:\d\d)?/.exec(record[name] ?? ''))
    .find((found) => found && !found[0].startsWith('0000'));
  const [latitude, longitude] = ['GPSLatitude', 'GPSLongitude'].map(
    (name) => record[`Composite:${name}`] ?? record[`XMP:${name}`],
  );
  const isPlace = typeof latitude === 'number' && typeof longitude === 'number';
  return {
    time: time && `${time[1]}${time[2] ?? ':00'}`.replaceAll(/\D/g, ''),
    place: isPlace ? [latitude, longitude].map((value) => value.toFixed(6)).join() : undefined,
  };
}

function ours(path, format) {
  const { coordinates, taken } = readMetadata(path, format);
  return {
    time: taken?.wallTime.replace('_', ''),
    place:
      coordinates &&
      [coordinates.latitude, coordinates.longitude].map((value) => value.toFixed(6)).join(),
  };
}

await ensureInstalled(
  { purpose: 'Comparisons', programs: ['exiftool'], packages: ['libimage-exiftool-perl'] },
  console.log,
);

let [compared, placed, timed, different] = [0, 0, 0, 0];
for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const format = formatOf(path);
    if (!format) continue;
    const [a, b] = [ours(path, format), theirs(path)];
    compared++;
    if (b.place) placed++;
    if (b.time) timed++;
    if (a.place === b.place && a.time === b.time) continue;
    different++;
    console.log(`${name}: imgstore ${JSON.stringify(a)}, exiftool ${JSON.stringify(b)}`);
  }
}
console.log(`${compared} files, ${placed} with a place, ${timed} with a time, ${different} differ`);
process.exitCode = different > 0 ? 1 : 0;
