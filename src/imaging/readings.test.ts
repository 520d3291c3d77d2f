import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accuracyFrom,
  altitudeFrom,
  asUtf8,
  cameraFrom,
  directionFrom,
  withOffset,
} from './readings.js';

test('a direction is 0 to less than 360', () => {
  for (const [given, direction] of [
    [0, 0],
    [-0, 0],
    [12.5, 12.5],
    [359.999_999, 359.999_999],
    [359.999_999_9, 0],
    [360, 0],
    [360.000_1, undefined],
    [-0.000_1, undefined],
    [4_294_967_295, undefined],
    [NaN, undefined],
    [Infinity, undefined],
    [undefined, undefined],
    [17 / 3, 5.666_667],
  ] as const) {
    assert.equal(directionFrom(given), direction, String(given));
    assert.ok(!Object.is(directionFrom(given), -0));
  }
});

test('an altitude is negative below the sea, and absurd ones are none', () => {
  for (const [given, ref, altitude] of [
    [100, 0, 100],
    [100, undefined, 100],
    [100, 1, -100],
    [-100, 1, -100],
    [-100, 0, -100],
    [100, 2, 100],
    [100, 3, -100],
    [0, 1, 0],
    [-0, 0, 0],
    [100_000, 0, 100_000],
    [100_001, 0, undefined],
    [12_001, 1, undefined],
    [NaN, 0, undefined],
    [4_294_967_295, 0, undefined],
    [undefined, 1, undefined],
  ] as const) {
    assert.equal(altitudeFrom(given, ref), altitude, `${given} ${ref}`);
    assert.ok(!Object.is(altitudeFrom(given, ref), -0));
  }
});

test('an accuracy is not negative', () => {
  for (const [given, accuracy] of [
    [0, 0],
    [4.75, 4.75],
    [1_000_000, 1_000_000],
    [1_000_001, undefined],
    [-1, undefined],
    [NaN, undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(accuracyFrom(given), accuracy, String(given));
  }
});

test('make and model, or the model alone when both begin with the same word', () => {
  for (const [make, model, camera] of [
    ['Apple', 'iPhone 15 Pro', 'Apple iPhone 15 Pro'],
    ['Canon', 'Canon EOS 5D', 'Canon EOS 5D'],
    ['NIKON CORPORATION', 'NIKON D800', 'NIKON D800'],
    ['samsung', 'SAMSUNG WB35F', 'SAMSUNG WB35F'],
    ['LG Electronics', 'LG-H870', 'LG-H870'],
    ['Sony', 'Sonyericsson', 'Sony Sonyericsson'],
    ['  DJI\0\0', '\nFC3170 \u0007', 'DJI FC3170'],
    ['A\t\tB', 'C\u0001D', 'A B CD'],
    ['', 'GR III', 'GR III'],
    ['RICOH', undefined, 'RICOH'],
    ['***', '***', '*** ***'],
    [' ', '\0', undefined],
    [undefined, undefined, undefined],
    ['샤오미', '샤오미 14', '샤오미 14'],
  ] as const) {
    assert.equal(cameraFrom(make, model), camera, `${make} ${model}`);
  }
  assert.equal([...(cameraFrom('𝄞'.repeat(200), 'x'.repeat(200)) ?? '')].length, 255);
});

test('bytes of UTF-8 are read as such, others as they are', () => {
  assert.equal(asUtf8(Buffer.from('샤오미').toString('latin1')), '샤오미');
  assert.equal(asUtf8('Caf\u00e9'), 'Caf\u00e9');
});

test('GPS tells the offset, to the quarter of an hour', () => {
  for (const [wallTime, gpsTime, offsetMinutes] of [
    ['20240506_160809', '20240506_070809', 540],
    ['20240506_160809', '20240506_070330', 540],
    ['20240506_160809', '20240506_071509', 540],
    ['20240506_130000', '20240506_071500', 345], // Kathmandu
    ['20240101_003000', '20231231_153000', 540],
    ['20231231_233000', '20240101_043000', -300],
    ['20240506_070809', '20240506_070809', 0],
    ['20240506_070900', '20240506_071000', 0],
    ['20240506_211000', '20240506_070809', 840],
    ['20240506_212000', '20240506_070000', undefined],
    ['20240507_070809', '20240506_070809', undefined], // a day apart: GPS has not been up to date
    ['20240506_070809', undefined, undefined],
  ] as const) {
    const sources = gpsTime === undefined ? {} : { gpsTime };
    const expected = offsetMinutes === undefined ? { wallTime } : { wallTime, offsetMinutes };
    assert.deepEqual(withOffset({ wallTime }, sources), expected, `${wallTime} ${gpsTime}`);
  }
});

test('an offset of its own, then those of EXIF, come before GPS', () => {
  const sources = { offset: 60, gpsTime: '20240506_070809' };
  const wallTime = '20240506_160809';
  assert.equal(withOffset({ wallTime, offsetMinutes: 0 }, sources)?.offsetMinutes, 0);
  assert.equal(withOffset({ wallTime }, sources)?.offsetMinutes, 60);
  assert.equal(withOffset(undefined, sources), undefined);
});
