/** Where and when pictures were taken, as the many writers of EXIF and XMP put it into files. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import {
  ascii,
  bytesOf,
  doubles,
  type Exif,
  exif,
  floats,
  jpegWith,
  named,
  pngWithChunk,
  rationals,
  rawProfile,
  type Value,
  webpWith,
  xmp,
} from '../../testkit/drawn-exif.js';
import { tiffFile, u16, u32 } from '../../testkit/drawn-tiff.js';
import { Studio } from './support.js';

const studio = await Studio.open({ threads: 1 });

const [latitude, longitude] = [37.5665, 126.9779667];
const north = rationals([[37, 1], [33, 1], [5940, 100]]); // prettier-ignore
const east = rationals([[126, 1], [58, 1], [4068, 100]]); // prettier-ignore
const gps = { 1: ascii('N'), 2: north, 3: ascii('E'), 4: east };
const time = '2024:05:06 07:08:09';
const wallTime = '20240506_070809';
const usual: Exif = { photo: { 0x9003: ascii(time) }, gps };
const marked = (block: Buffer): Buffer => named('Exif\0\0', block);
const inJpeg = (content: Exif): Promise<Buffer> => jpegWith(marked(exif(content)));

interface Expected {
  readonly place?: readonly [number, number] | null;
  readonly wallTime?: string | null;
  readonly offsetMinutes?: number;
  readonly size?: string;
}
type Case = readonly [make: () => Promise<Buffer>, expected?: Expected];

const block = exif(usual);
const turned = exif({ ...usual, main: { 0x0112: [3, 1, u16(6)] } });
const xmpText = xmp(
  'exif:GPSLatitude="37,33.99N" exif:GPSLongitude="126,58.678E" exif:DateTimeOriginal="2024-05-06T07:08:09"',
);
const xmpName = 'http://ns.adobe.com/xap/1.0/\0';
const plainTiff = (entries: readonly (readonly [number, number, Buffer])[]): Buffer =>
  tiffFile({
    width: 24,
    height: 16,
    samples: 3,
    bits: 8,
    data: Buffer.alloc(24 * 16 * 3),
    entries,
  });
const heifItem = async (): Promise<Buffer> =>
  sharp({ create: { width: 24, height: 16, channels: 3, background: '#3a6' } })
    .withExif({
      IFD2: { DateTimeOriginal: time },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '37/1 33/1 5940/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '126/1 58/1 4068/100',
      },
    })
    .avif({ effort: 0 })
    .toBuffer();

const places: Record<string, Case> = {
  'JPEG, as usual': [() => jpegWith(marked(block))],
  'JPEG, four bytes before': [() => jpegWith(named('\0\0\0\0', marked(block)))],
  'JPEG, lower case': [() => jpegWith(named('exif\0\0', block))],
  'JPEG, after another EXIF block': [
    () => jpegWith(marked(exif({ main: { 0x010f: ascii('Somebody') } })), marked(block)),
  ],
  'JPEG, after XMP': [() => jpegWith(named(xmpName, xmp('')), marked(block))],
  'JPEG, in two segments': [
    () => jpegWith(marked(block.subarray(0, 60)), marked(block.subarray(60))),
  ],
  'JPEG, turned': [() => jpegWith(marked(turned)), { size: '16x24' }],
  'JPEG, turned, four bytes before': [
    () => jpegWith(named('\0\0\0\0', marked(turned))),
    { size: '16x24' },
  ],
  'JPEG, XMP alone': [() => jpegWith(named(xmpName, xmpText))],
  'JPEG, XMP place after EXIF time': [
    () =>
      jpegWith(
        marked(exif({ photo: { 0x9003: ascii('2020:01:02 03:04:05') } })),
        named(xmpName, xmpText),
      ),
    { wallTime: '20200102_030405' },
  ],
  'PNG, before the pixels': [() => pngWithChunk('eXIf', turned), { size: '16x24' }],
  'PNG, behind the pixels': [() => pngWithChunk('eXIf', turned, true), { size: '16x24' }],
  'PNG, marked': [() => pngWithChunk('eXIf', marked(block))],
  'PNG, packed text exif': [() => pngWithChunk('zTXt', rawProfile('exif', marked(block), true))],
  'PNG, packed text APP1': [() => pngWithChunk('zTXt', rawProfile('APP1', marked(block), true))],
  'PNG, text exif': [() => pngWithChunk('tEXt', rawProfile('exif', marked(block), false), true)],
  'PNG, text xmp': [() => pngWithChunk('tEXt', rawProfile('xmp', xmpText, false))],
  'PNG, text APP1 with XMP': [
    () => pngWithChunk('zTXt', rawProfile('APP1', named(xmpName, xmpText), true)),
  ],
  'PNG, XMP': [() => pngWithChunk('iTXt', named('XML:com.adobe.xmp\0\0\0\0\0', xmpText))],
  'PNG, packed XMP behind the pixels': [
    () => pngWithChunk('iTXt', named('XML:com.adobe.xmp\0\x01\0\0\0', deflateSync(xmpText)), true),
  ],
  WebP: [() => webpWith('EXIF', block)],
  'WebP, marked': [() => webpWith('EXIF', marked(block))],
  'WebP, XMP': [() => webpWith('XMP ', xmpText)],
  'TIFF, XMP': [async () => plainTiff([[700, 1, xmpText]])],
  AVIF: [heifItem],
  GIF: [
    async () => {
      const gif = await sharp({
        create: { width: 24, height: 16, channels: 3, background: '#3a6' },
      })
        .gif()
        .toBuffer();
      const trailer = Buffer.concat([
        Buffer.from([1]),
        Buffer.from(Array.from({ length: 257 }, (_, i) => Math.max(0, 255 - i))),
      ]);
      const extension = Buffer.concat([
        Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'),
        xmpText,
        trailer,
      ]);
      return Buffer.concat([gif.subarray(0, -1), extension, gif.subarray(-1)]);
    },
  ],
};

const withGps = (changed: Readonly<Record<number, Value>>): Case[0] => {
  return () => inJpeg({ ...usual, gps: { ...gps, ...changed } });
};
const types: Record<string, Case> = {
  'references of type BYTE': [withGps({ 1: bytesOf('N'), 3: bytesOf('E') })],
  'references of type UNDEFINED': [withGps({ 1: bytesOf('N\0', 7), 3: bytesOf('E\0', 7) })],
  'references of type UTF-8': [withGps({ 1: bytesOf('N\0', 129), 3: bytesOf('E\0', 129) })],
  'coordinates of type DOUBLE': [withGps({ 2: doubles(37, 33, 59.4), 4: doubles(126, 58, 40.68) })],
  'degrees of type DOUBLE alone': [withGps({ 2: doubles(latitude), 4: doubles(longitude) })],
  'coordinates of type FLOAT': [withGps({ 2: floats(37, 33, 59.4), 4: floats(126, 58, 40.68) })],
  'coordinates as text': [withGps({ 2: ascii('37 33 59.4'), 4: ascii('126, 58, 40.68') })],
  'coordinates as text of fractions': [
    withGps({ 2: ascii('37/1,33/1,5940/100'), 4: ascii('126/1 58/1 4068/100') }),
  ],
  'signed fractions': [
    withGps({ 2: rationals([[37, 1], [33, 1], [5940, 100]], 10) }), // prettier-ignore
  ],
  'a negative fraction and S': [
    withGps({ 1: ascii('S'), 2: rationals([[-375665, 10_000]], 10) }),
    { place: [-latitude, longitude] },
  ],
  'a negative fraction and N': [
    withGps({ 2: rationals([[-375665, 10_000]], 10) }),
    { place: [-latitude, longitude] },
  ],
  'pointers of type SLONG': [() => inJpeg({ ...usual, pointerType: 9 })],
  'pointers of type IFD': [() => inJpeg({ ...usual, pointerType: 13 })],
  'GPS behind the EXIF directory': [() => inJpeg({ ...usual, nested: true })],
  'a pointer to before the file': [
    async () =>
      jpegWith(marked(exif({ main: { 0x8825: [9, 1, u32(-8 >>> 0)] }, photo: usual.photo ?? {} }))),
    { place: null },
  ],
  'a zero denominator': [withGps({ 2: rationals([[37, 0]]) }), { place: null }],
  'no reference': [
    () => inJpeg({ ...usual, gps: { 2: north, 3: ascii('E'), 4: east } }),
    { place: null },
  ],
};

const taken = (photo: Exif['photo'] = {}, main: Exif['main'] = {}): Case[0] => {
  return () => inJpeg({ main, photo, gps });
};
const dated = (text: string): Case[0] => taken({ 0x9003: ascii(text) });
const times: Record<string, Case> = {
  'with dashes': [dated('2024-05-06 07:08:09')],
  'with slashes': [dated('2024/05/06 07:08:09')],
  'in ISO 8601': [dated('2024-05-06T07:08:09')],
  'in UTC': [dated('2024-05-06T07:08:09Z'), { offsetMinutes: 0 }],
  'with an offset and a fraction': [dated('2024-05-06T07:08:09.123+09:00'), { offsetMinutes: 540 }],
  'with an offset after a blank': [dated('2024:05:06 07:08:09 -0330'), { offsetMinutes: -210 }],
  'without seconds': [dated('2024:05:06 07:08'), { wallTime: '20240506_070800' }],
  'after a blank': [dated(' 2024:05:06 07:08:09')],
  'with single digits': [dated('2024:5:6 7:8:9')],
  'as bytes': [taken({ 0x9003: bytesOf(time, 7) })],
  'of a leap second': [dated('2016:12:31 23:59:60'), { wallTime: '20170101_000000' }],
  'in the main directory': [taken({}, { 0x9003: ascii(time) })],
  'digitized, in the main directory': [taken({}, { 0x9004: ascii(time) })],
  'with the offset of another field': [
    taken({ 0x9003: ascii(time), 0x9012: ascii('+02:00') }),
    { offsetMinutes: 120 },
  ],
  'of an impossible day': [dated('2023-02-29 07:08:09'), { wallTime: null }],
  'that is only a day': [dated('2024:05:06'), { wallTime: null }],
};

for (const [name, [make, expected = {}]] of Object.entries({ ...places, ...types, ...times })) {
  test(`place and time are read: ${name}`, async () => {
    const image = await studio.process(name.replaceAll(/\W/g, '-'), await make());
    const { place = [latitude, longitude], size = '24x16' } = expected;
    const found = image.coordinates;
    if (place) {
      assert.ok(found, 'no place');
      assert.ok(Math.abs(found.latitude - place[0]) < 1e-5, String(found.latitude));
      assert.ok(Math.abs(found.longitude - place[1]) < 1e-5, String(found.longitude));
    } else assert.equal(found, undefined);
    const { wallTime: shown = wallTime, offsetMinutes } = expected;
    const at = shown === null ? undefined : { wallTime: shown };
    assert.deepEqual(image.taken, offsetMinutes === undefined ? at : { ...at, offsetMinutes });
    assert.equal(`${image.width}x${image.height}`, size);
  });
}
