import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exifBlock, type ExifContent, type Gps, type Rational } from '../../testkit/exif-block.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { readExif, readTiffExif } from './exif.js';

const arezzo: Gps = {
  latitude: [
    [43, 1],
    [28, 1],
    [2814, 100],
  ],
  latitudeRef: 'N',
  longitude: [
    [11, 1],
    [53, 1],
    [645, 100],
  ],
  longitudeRef: 'E',
};
const zero: readonly Rational[] = [
  [0, 1],
  [0, 1],
  [0, 1],
];
const geotagOf = (gps: Partial<Gps>) =>
  readExif(exifBlock({ gps: { ...arezzo, ...gps } })).coordinates;

test('degrees, minutes, and seconds become decimal degrees', () => {
  const geotag = geotagOf({});
  assert.ok(geotag);
  assert.ok(Math.abs(geotag.latitude - 43.474483) < 1e-6);
  assert.ok(Math.abs(geotag.longitude - 11.885125) < 1e-6);
});

test('south and west are negative', () => {
  const geotag = geotagOf({ latitudeRef: 'S', longitudeRef: 'W' });
  assert.ok(geotag && geotag.latitude < 0 && geotag.longitude < 0);
});

test('zero is a valid coordinate, and never minus zero', () => {
  const geotag = geotagOf({ latitude: zero, longitude: zero, latitudeRef: 'S', longitudeRef: 'W' });
  assert.deepEqual(geotag, { latitude: 0, longitude: 0 });
});

for (const [what, gps] of Object.entries<Partial<Gps>>({
  'a zero denominator': { latitude: [[43, 0]] },
  'zero over zero': { longitude: [[0, 0]] },
  'zero over zero in the seconds': { latitude: [[1, 1], [2, 1], [0, 0]] }, // prettier-ignore
  'a latitude above 90': { latitude: [[91, 1]] },
  'a longitude above 180': { longitude: [[180, 1], [1, 1]] }, // prettier-ignore
  'no value': { latitude: [] },
  'an unknown hemisphere': { latitudeRef: 'X' },
  'an empty hemisphere': { longitudeRef: '' },
})) {
  test(`${what} gives no location`, () => assert.equal(geotagOf(gps), undefined));
}

test('hemispheres may be words and in lowercase', () => {
  const expected = geotagOf({ latitudeRef: 'S', longitudeRef: 'W' });
  for (const [latitudeRef, longitudeRef] of [
    ['South', 'West'],
    ['south', ' w '],
    ['s', 'WEST'],
  ] as const) {
    assert.deepEqual(geotagOf({ latitudeRef, longitudeRef }), expected);
  }
  assert.deepEqual(geotagOf({ latitudeRef: 'North', longitudeRef: 'east' }), geotagOf({}));
});

test('signed numbers, IFD-type pointers, and BigTIFF are read', async (t) => {
  const content = { gps: arezzo, taken: '2008:10:22 16:28:39' };
  const expected = readExif(exifBlock(content));
  assert.ok(expected.coordinates && expected.taken);
  assert.deepEqual(readExif(exifBlock({ ...content, odd: true })), expected);
  const folder = await temporaryDirectory('exif');
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'big.tif');
  await writeFile(path, exifBlock(content, 'big'));
  assert.deepEqual(readTiffExif(path), expected);
});

test('a negative number is south or west, whatever the hemisphere says', () => {
  const gps = { ...arezzo, latitude: [[-43, 1]] as const };
  assert.equal(readExif(exifBlock({ gps, odd: true })).coordinates?.latitude, -43);
});

test('markers before the block are skipped', () => {
  const block = exifBlock({ gps: arezzo, taken: '2008:10:22 16:28:39' });
  const expected = readExif(block);
  assert.ok(expected.coordinates);
  for (const before of [
    'Exif\0\0',
    '\0\0\0\x06Exif\0\0',
    '\0',
    'Exif\0\0Exif\0\0',
    '\xff\xe1\x12\x34Exif\0\0',
  ]) {
    const marked = Buffer.concat([Buffer.from(before, 'latin1'), block]);
    assert.deepEqual(readExif(marked), expected);
  }
});

test('a missing hemisphere gives no location', () => {
  const { latitude, longitude } = arezzo;
  const block = exifBlock({ gps: { latitude, longitude, longitudeRef: 'E' } });
  assert.equal(readExif(block).coordinates, undefined);
});

const takenOf = (taken: string, offset?: string) =>
  readExif(exifBlock({ taken, ...(offset !== undefined && { offset }) })).taken;

test('the time is local time, with its offset if present', () => {
  assert.deepEqual(takenOf('2008:10:22 16:28:39'), { wallTime: '20081022_162839' });
  for (const [offset, offsetMinutes] of [
    ['+09:00', 540],
    ['-03:30', -210],
    ['-00:00', 0],
    ['Z', 0],
    ['+0900', 540],
    ['-03', -180],
    [' +09:00 ', 540],
  ] as const) {
    assert.deepEqual(takenOf('2024:02:29 00:00:00', offset), {
      wallTime: '20240229_000000',
      offsetMinutes,
    });
  }
});

test('an invalid offset is dropped, but the time is kept', () => {
  for (const offset of ['', '+15:00', '+900', '+030', '+090', 'a+09:00', 'Zulu']) {
    assert.deepEqual(takenOf('2020:01:02 03:04:05', offset), { wallTime: '20200102_030405' });
  }
});

test('an offset of one digit, and the 24th hour, which begins a day', () => {
  for (const [offset, offsetMinutes] of [
    ['-5:00', -300],
    ['+9', 540],
    ['+5:45', 345],
  ] as const) {
    const wallTime = '20200102_030405';
    assert.deepEqual(takenOf('2020:01:02 03:04:05', offset), { wallTime, offsetMinutes });
  }
  assert.deepEqual(takenOf('2016:02:02 24:28:33'), { wallTime: '20160202_002833' });
});

test('the digitization time and the file offset are used as fallbacks', () => {
  const [digitized, offsetTime] = ['2001:02:03 04:05:06', '+01:00'];
  const scanned = { wallTime: '20010203_040506' };
  const of = (content: ExifContent) => readExif(exifBlock(content)).taken;
  assert.deepEqual(of({ digitized }), scanned);
  assert.deepEqual(of({ digitized, taken: '    :  :     :  :  ' }), scanned);
  assert.deepEqual(of({ digitized, offsetTime }), { ...scanned, offsetMinutes: 60 });
  const taken = '2000:01:01 00:00:00';
  assert.deepEqual(of({ digitized, taken, offsetTime, offset: '+02:00' }), {
    wallTime: '20000101_000000',
    offsetMinutes: 120,
  });
});

test('an invalid time is ignored', () => {
  for (const taken of [
    '0000:00:00 00:00:00',
    '2023:02:29 10:00:00',
    '2023:13:01 10:00:00',
    '2023:01:01 25:00:00',
    '2023:01:01',
    '    :  :     :  :  ',
    '',
  ]) {
    assert.equal(takenOf(taken), undefined, taken);
  }
});

test('damage at any byte never throws, and never gives an invalid location', () => {
  const block = exifBlock({ gps: arezzo, taken: '2008:10:22 16:28:39', offset: '+02:00' });
  for (let i = 0; i < block.length; i++) {
    readExif(block.subarray(0, i));
    for (const byte of [0, 0x7f, 0xff]) {
      const damaged = Buffer.from(block);
      damaged[i] = byte;
      const { coordinates } = readExif(damaged);
      if (coordinates)
        assert.ok(Math.abs(coordinates.latitude) <= 90 && Math.abs(coordinates.longitude) <= 180);
    }
  }
});

test('of a block that claims to be huge, few entries are read', (t) => {
  const entries = 5000;
  const block = Buffer.alloc(65_000);
  block.write('II*\0\x08\0\0\0', 'latin1');
  block.writeUInt16LE(entries, 8);
  for (let i = 0; i < entries; i++) {
    block.writeUInt16LE(0x8769, 10 + i * 12);
    block.writeUInt16LE(4, 12 + i * 12);
    block.writeUInt32LE(15_000, 14 + i * 12);
  }
  const reads = t.mock.method(Buffer.prototype as Buffer, 'subarray');
  assert.deepEqual(readExif(block), {});
  assert.ok(reads.mock.callCount() < 600, `${reads.mock.callCount()} reads`);
});
