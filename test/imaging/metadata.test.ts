import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { tiffWithExif } from '../../testkit/exif-block.js';
import { plain, Studio } from './support.js';

const studio = await Studio.open();

const exif = {
  IFD0: { Make: 'Somebody' },
  IFD2: { DateTimeOriginal: '2008:10:22 16:28:39', OffsetTimeOriginal: '+02:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '43/1 28/1 2814/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '11/1 53/1 645/100',
  },
};

for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
  test(`location and time of ${format} are read, and absent from the renditions`, async () => {
    const file = plain(1200, 900, [9, 99, 199]).withExif(exif).withIccProfile('srgb');
    const image = await studio.process(format, file.toFormat(format));
    assert.ok(image.coordinates && image.display);
    assert.ok(Math.abs(image.coordinates.latitude - 43.474483) < 1e-6);
    assert.ok(Math.abs(image.coordinates.longitude - 11.885125) < 1e-6);
    assert.deepEqual(image.taken, { wallTime: '20081022_162839', offsetMinutes: 120 });
    for (const { path } of [image.display, image.thumb]) {
      const { exif, icc, xmp, iptc } = await sharp(path).metadata();
      assert.deepEqual(
        { exif, icc, xmp, iptc },
        {
          exif: undefined,
          icc: undefined,
          xmp: undefined,
          iptc: undefined,
        },
      );
    }
  });
}

test('location and time of TIFF are read', async () => {
  const plainTiff = await plain(40, 30, [9, 99, 199]).tiff({ compression: 'lzw' }).toBuffer();
  const tiff = tiffWithExif(plainTiff, {
    taken: '2020:02:29 01:02:03',
    gps: { latitude: [[45, 2]], latitudeRef: 'S', longitude: [[10, 1], [30, 1]], longitudeRef: 'W' }, // prettier-ignore
  });
  const image = await studio.process('tiff', tiff);
  assert.deepEqual(image.coordinates, { latitude: -22.5, longitude: -10.5 });
  assert.deepEqual(image.taken, { wallTime: '20200229_010203' });
});

test('a real camera picture near Arezzo', async () => {
  const image = await studio.processPhoto('DSCN0010.jpg');
  assert.deepEqual([image.width, image.height], [640, 480]);
  assert.ok(image.coordinates);
  assert.ok(Math.abs(image.coordinates.latitude - 43.467448) < 1e-5);
  assert.ok(Math.abs(image.coordinates.longitude - 11.885127) < 1e-5);
  assert.deepEqual(image.taken, { wallTime: '20081022_162839' });
});

test('an image with broken EXIF is accepted without its location', async () => {
  const whole = await plain(40, 30, [9, 99, 199]).withExif(exif).jpeg().toBuffer();
  const start = whole.indexOf('Exif\0\0', 'latin1') + 6;
  const broken = Buffer.from(whole).fill(0xff, start + 4, start + 60);
  const image = await studio.process('broken', broken);
  assert.deepEqual([image.width, image.coordinates, image.taken], [40, undefined, undefined]);
});

test('an image without EXIF has neither location nor time', async () => {
  const image = await studio.process('bare', plain(4, 4, [1, 1, 1]).jpeg());
  assert.ok(!('place' in image) && !('taken' in image));
});
