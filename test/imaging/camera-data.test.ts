/** What cameras and editors write of the moment of a picture, besides where and when. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readMetadata } from '../../workers/metadata.js';
import type { ImageFormat } from '../../src/imaging/port.js';
import {
  ascii,
  bytesOf,
  doubles,
  type Exif,
  exif,
  jpegWith,
  named,
  pngWithChunk,
  rationals,
  rawProfile,
  webpWith,
  xmp,
} from '../../testkit/drawn-exif.js';
import { tiffFile, u32 } from '../../testkit/drawn-tiff.js';
import { Studio } from './support.js';

const studio = await Studio.open({ threads: 1 });

const marked = (block: Buffer): Buffer => named('Exif\0\0', block);
const xmpName = 'http://ns.adobe.com/xap/1.0/\0';

type Read = ReturnType<typeof readMetadata>;

const read = async (file: Buffer | Promise<Buffer>, format: ImageFormat = 'jpeg'): Promise<Read> =>
  readMetadata(await file, format);
const ofExif = (content: Exif): Promise<Read> => read(jpegWith(marked(exif(content))));
const ofXmp = (attributes: string): Promise<Read> =>
  read(jpegWith(named(xmpName, xmp(attributes))));

const whole: Exif = {
  main: { 0x010f: ascii('Apple'), 0x0110: ascii('iPhone 15 Pro') },
  photo: { 0x9003: ascii('2024:05:06 16:08:09') },
  gps: {
    5: [1, 1, Buffer.from([1])],
    6: rationals([[1234, 100]]),
    7: rationals([[7, 1], [8, 1], [901, 100]]), // prettier-ignore
    16: ascii('T'),
    17: rationals([[27135, 100]]),
    29: ascii('2024:05:06'),
    31: rationals([[475, 100]]),
  },
};
const expected = {
  taken: { wallTime: '20240506_160809', offsetMinutes: 540 },
  direction: 271.35,
  altitude: -12.34,
  accuracy: 4.75,
  camera: 'Apple iPhone 15 Pro',
};

test('all of it passes through the imaging process, from each format', async () => {
  const block = exif(whole);
  for (const [name, file] of [
    ['jpeg', await jpegWith(marked(block))],
    ['png', await pngWithChunk('eXIf', block)],
    ['webp', await webpWith('EXIF', block)],
  ] as const) {
    const { taken, direction, altitude, accuracy, camera } = await studio.process(name, file);
    assert.deepEqual({ taken, direction, altitude, accuracy, camera }, expected, name);
  }
});

test('the file alone is read, without being decoded, whatever else it is', async () => {
  const at = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(studio.path(name), bytes);
    return studio.path(name);
  };
  const file = await jpegWith(marked(exif(whole)));
  const cut = file.subarray(0, -100);
  assert.deepEqual(await studio.queue.readMetadata(await at('cut', cut), 'jpeg'), expected);
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heif'] as const) {
    for (const [name, bytes] of [
      ['empty', Buffer.alloc(0)],
      ['text', Buffer.from('no picture')],
      ['zeros', Buffer.alloc(100_000)],
    ] as const) {
      assert.deepEqual(await studio.queue.readMetadata(await at(name, bytes), format), {}, name);
    }
  }
  await assert.rejects(studio.queue.readMetadata(studio.path('missing'), 'jpeg'), {
    code: 'unavailable',
  });
  await studio.queue.process({ path: await at('next', file), hash: Buffer.alloc(32) }, 'somebody');
});

test('values in odd types, and broken ones', async () => {
  const gps = (changed: Exif['gps']) => ofExif({ gps: { ...changed } });
  assert.equal((await gps({ 17: doubles(45.5) })).direction, 45.5);
  assert.equal((await gps({ 17: ascii('4550/100') })).direction, 45.5);
  assert.equal((await gps({ 17: rationals([[0, 0]]) })).direction, undefined);
  assert.equal((await gps({ 17: rationals([[-1, 1]], 10) })).direction, undefined);
  assert.equal((await gps({ 6: rationals([[-5, 1]], 10) })).altitude, -5);
  assert.equal((await gps({ 5: ascii('1'), 6: rationals([[5, 1]]) })).altitude, -5);
  assert.equal((await gps({ 6: rationals([[2 ** 32 - 1, 1]]) })).altitude, undefined);
  assert.equal((await gps({ 31: rationals([[1, 0]]) })).accuracy, undefined);
  assert.equal((await gps({ 31: bytesOf('', 5) })).accuracy, undefined);
  const main = { 0x010f: bytesOf('샤오미\0\0', 2), 0x0110: ascii('14\u0001 Pro') };
  const utf8: Exif = { main: { ...main, 0x010f: [2, 10, Buffer.from('샤오미\0')] } };
  assert.equal((await ofExif(utf8)).camera, '샤오미 14 Pro');
  const padded = { main: { 0x0110: ascii(`DSC-HX9V${' '.repeat(15)}\0${'x'.repeat(500)}`) } };
  assert.equal((await ofExif(padded)).camera, 'DSC-HX9V');
});

test('each from XMP where EXIF does not tell', async () => {
  const attributes =
    'xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make="B &amp; W" tiff:Model="One" ' +
    'exif:GPSImgDirection="27135/100" exif:GPSAltitude="1234/100" exif:GPSAltitudeRef="1" ' +
    'exif:GPSHPositioningError="4.75" exif:DateTimeOriginal="2024-05-06T16:08:09" ' +
    'exif:GPSTimeStamp="2024-05-06T07:08:09Z"';
  assert.deepEqual(await ofXmp(attributes), { ...expected, camera: 'B & W One' });
  const both = await read(
    jpegWith(
      marked(exif({ main: { 0x0110: ascii('Mine') }, gps: { 17: rationals([[1, 1]]) } })),
      named(xmpName, xmp(attributes)),
    ),
  );
  assert.deepEqual([both.camera, both.direction, both.altitude], ['Mine', 1, -12.34]);
  const broken = await ofXmp(
    'exif:GPSImgDirection="x" exif:GPSAltitude="1/0" exif:GPSHPositioningError="-1"',
  );
  assert.deepEqual(broken, {});
});

const time = '2024:05:06 16:08:09';

test("the offset: of the same field, another of EXIF, the editor's at last, GPS", async () => {
  const offsetOf = async (photo: Exif['photo'], gps: Exif['gps'] = {}) =>
    (await ofExif({ photo: { 0x9003: ascii(time), ...photo }, gps })).taken?.offsetMinutes;
  const [one, two, three] = [ascii('+01:00'), ascii('+02:00'), ascii('+03:00')];
  assert.equal(await offsetOf({ 0x9010: one, 0x9011: two, 0x9012: three }), 120);
  assert.equal(await offsetOf({ 0x9010: one, 0x9012: three }), 180);
  assert.equal(await offsetOf({ 0x9010: one }, whole.gps), 60);
  assert.equal(await offsetOf({}, whole.gps), 540);
  assert.equal(await offsetOf({}, { 7: whole.gps?.[7] ?? one }), undefined);
  assert.equal(await offsetOf({}, { ...whole.gps, 29: ascii('') }), undefined);
  const digitized = await ofExif({
    photo: { 0x9004: ascii(time), 0x9010: one, 0x9011: two, 0x9012: three },
  });
  assert.equal(digitized.taken?.offsetMinutes, 180);
});

test('the time of XMP takes its offset from EXIF', async () => {
  const packet = named(xmpName, xmp('exif:DateTimeOriginal="2024-05-06T16:08:09"'));
  const file = jpegWith(marked(exif({ photo: { 0x9011: ascii('+02:00') } })), packet);
  assert.deepEqual((await read(file)).taken, { wallTime: '20240506_160809', offsetMinutes: 120 });
});

const dataset = (number: number, text: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x1c, 2, number, text.length >> 8, text.length & 0xff]),
    Buffer.from(text),
  ]);
const iptc = Buffer.concat([
  dataset(5, 'A title'),
  dataset(55, '20240506'),
  dataset(60, '160809+0900'),
]);
const resource = (id: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('8BIM'),
    Buffer.from([id >> 8, id & 0xff, 0, 0]),
    Buffer.from(u32(data.length)).reverse(),
    data,
    Buffer.alloc(data.length % 2),
  ]);
const resources = Buffer.concat([resource(0x03ed, Buffer.alloc(7)), resource(0x0404, iptc)]);

/** A segment of Photoshop in place of one of EXIF. */
async function withApp13(...contents: Buffer[]): Promise<Buffer> {
  const file = await jpegWith(...contents.map((one) => named('Photoshop 3.0\0', one)));
  let at = 2;
  for (const one of contents) {
    file[at + 1] = 0xed;
    at += 4 + 'Photoshop 3.0\0'.length + one.length;
  }
  return file;
}

const plainTiff = (entries: readonly (readonly [number, number, Buffer])[]): Buffer =>
  tiffFile({
    width: 24,
    height: 16,
    samples: 3,
    bits: 8,
    data: Buffer.alloc(24 * 16 * 3),
    entries,
  });

test('times of IPTC come last, wherever they are', async () => {
  const taken = { wallTime: '20240506_160809', offsetMinutes: 540 };
  const files: [string, Buffer, ImageFormat?][] = [
    ['JPEG', await withApp13(resources)],
    ['JPEG, in two segments', await withApp13(resources.subarray(0, 30), resources.subarray(30))],
    ['TIFF', plainTiff([[33723, 7, iptc]]), 'tiff'],
    ['TIFF, of Photoshop', plainTiff([[34377, 1, resources]]), 'tiff'],
    ['PNG', await pngWithChunk('zTXt', rawProfile('iptc', resources, true)), 'png'],
  ];
  for (const [name, file, format] of files)
    assert.deepEqual((await read(file, format)).taken, taken, name);
  const digital = await withApp13(
    resource(0x0404, Buffer.concat([dataset(55, '20240506'), dataset(62, '20200101'), dataset(63, '010203')])), // prettier-ignore
  );
  assert.deepEqual((await read(digital)).taken, { wallTime: '20200101_010203' });
  const older = await read(
    Buffer.concat([
      (await withApp13(resources)).subarray(0, 18 + resources.length + 2),
      (await jpegWith(named(xmpName, xmp('xmp:CreateDate="2001-02-03T04:05:06Z"')))).subarray(2),
    ]),
  );
  assert.equal(older.taken?.wallTime, '20010203_040506');
});

test('broken IPTC is none', async () => {
  for (let end = 0; end < resources.length; end += 1) {
    await read(withApp13(resources.subarray(0, end)));
  }
  for (let at = 0; at < resources.length; at += 1) {
    const damaged = Buffer.from(resources);
    damaged[at] = 0xff;
    await read(withApp13(damaged));
  }
  assert.equal((await read(plainTiff([[33723, 7, Buffer.from([0x1c, 2, 55, 0x80, 4, 0])]]), 'tiff')).taken, undefined); // prettier-ignore
});

test('megabytes of XMP, nested, endless, or in many segments, are no reason to refuse', async () => {
  const filler = '<a>1</a>'.repeat(500_000);
  const inside = (content: string): Buffer =>
    Buffer.from(
      xmp('exif:GPSImgDirection="1"')
        .toString()
        .replace('/></rdf', `>${content}</rdf:Description></rdf`),
    );
  for (const [name, file] of [
    ['large', await webpWith('XMP ', inside(filler))],
    ['deep', await webpWith('XMP ', inside('<a>'.repeat(300_000)))],
    [
      'large in PNG',
      await pngWithChunk('iTXt', named('XML:com.adobe.xmp\0\0\0\0\0', inside(filler))),
    ],
    [
      'bomb',
      await webpWith(
        'XMP ',
        Buffer.from(
          `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]><x tiff:Model="&b;">&b;</x>`,
        ),
      ),
    ],
  ] as const) {
    const image = await studio.process(name.replaceAll(' ', '-'), file);
    assert.equal(image.width, 24, name);
  }
  const extended = 'http://ns.adobe.com/xmp/extension/\0';
  const parts = Array.from({ length: 100 }, () => named(extended, Buffer.alloc(60_000, '<')));
  const many = await jpegWith(marked(exif(whole)), ...parts);
  assert.equal((await studio.process('many', many)).direction, 271.35);
});

test('damage at any byte of EXIF never throws', async () => {
  const block = exif(whole);
  for (let at = 0; at < block.length; at += 1) {
    for (const byte of [0, 0x7f, 0xff]) {
      const damaged = Buffer.from(block);
      damaged[at] = byte;
      const { direction, altitude, accuracy, camera } = await read(jpegWith(marked(damaged)));
      assert.ok(direction === undefined || (direction >= 0 && direction < 360));
      assert.ok(altitude === undefined || Math.abs(altitude) <= 100_000);
      assert.ok(accuracy === undefined || accuracy >= 0);
      assert.ok(camera === undefined || /^\P{Cc}{1,255}$/u.test(camera));
    }
  }
});
