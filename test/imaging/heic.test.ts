import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { exifBlock } from '../../testkit/exif-block.js';
import { photo } from '../../testkit/photos.js';
import { near, pixel, plain, Studio } from './support.js';

const sample = await readFile(photo('samplefilehub.heif'));

/** Adds a rotation by `quarters` × 90° counterclockwise to the picture of the sample. */
function rotated(heic: Buffer, quarters: number): Buffer {
  const irot = Buffer.from([0, 0, 0, 9, 0x69, 0x72, 0x6f, 0x74, quarters]);
  const association = Buffer.from([0x83]);
  const added = irot.length + association.length;
  const out = Buffer.from(heic);
  const grow = (box: string, by: number): void => {
    const size = out.indexOf(box) - 4;
    out.writeUInt32BE(out.readUInt32BE(size) + by, size);
  };
  const ipcoEnd = heic.indexOf('ipco') - 4 + heic.readUInt32BE(heic.indexOf('ipco') - 4);
  const ipma = heic.indexOf('ipma');
  const ipmaEnd = ipma - 4 + heic.readUInt32BE(ipma - 4);
  for (const box of ['meta', 'iprp']) grow(box, added);
  grow('ipco', irot.length);
  grow('ipma', association.length);
  // version and flags, number of items, id of the first: then its number of associations
  const count = ipma + 4 + 4 + 4 + 2;
  out.writeUInt8(out.readUInt8(count) + 1, count);
  const items = heic.indexOf('iloc') + 4 + 4 + 2;
  for (let i = 0; i < heic.readUInt16BE(items); i++) {
    const offset = items + 2 + i * 18 + 4;
    out.writeUInt32BE(out.readUInt32BE(offset) + added, offset);
  }
  return Buffer.concat([
    out.subarray(0, ipcoEnd),
    irot,
    out.subarray(ipcoEnd, ipmaEnd),
    association,
    out.subarray(ipmaEnd),
  ]);
}

/** Makes the EXIF item, the second one, refer to this block, which is appended to the file. */
function withExif(heic: Buffer, block: Buffer): Buffer {
  const out = Buffer.from(heic);
  const item = heic.indexOf('iloc') + 4 + 4 + 2 + 2 + 18;
  const content = Buffer.concat([Buffer.from('\0\0\0\x06Exif\0\0', 'latin1'), block]);
  // base offset, offset within, length
  out.writeUInt32BE(heic.length, item + 4);
  out.writeUInt32BE(0, item + 10);
  out.writeUInt32BE(content.length, item + 14);
  return Buffer.concat([out, content]);
}

for (const heifDecoder of ['auto', 'bundled'] as const) {
  const studio = await Studio.open({ heifDecoder });

  describe(`decoder: ${heifDecoder}`, () => {
    test('a small HEIC gets a JPEG rendition, because browsers cannot show it', async () => {
      const image = await studio.processPhoto('samplefilehub.heif');
      assert.deepEqual([image.format, image.width, image.height], ['heif', 640, 426]);
      assert.equal(image.display?.extension, 'jpg');
      const shown = await sharp(image.display.path).metadata();
      assert.deepEqual([shown.format, shown.width, shown.height], ['jpeg', 640, 426]);
      // Bright sky above the horizon, dark ground in the corner.
      const [sky = 0] = await pixel(image.display.path, 320, 150);
      const [ground = 255] = await pixel(image.display.path, 10, 420);
      assert.ok(sky > ground);
    });

    test('rotation is applied once, although EXIF repeats it', async () => {
      const straight = await studio.processPhoto('samplefilehub.heif');
      const turned = withExif(rotated(sample, 3), exifBlock({ orientation: 6 }));
      assert.equal(
        (await sharp(turned).metadata()).exif?.length,
        exifBlock({ orientation: 6 }).length + 6,
      );
      const image = await studio.process('turned', turned);
      assert.deepEqual([image.width, image.height], [426, 640]);
      assert.ok(straight.display && image.display);
      const expected = sharp(straight.display.path).rotate(90).resize(40, 60, { fit: 'fill' });
      const got = sharp(image.display.path).resize(40, 60, { fit: 'fill' });
      const [a, b] = [await expected.raw().toBuffer(), await got.raw().toBuffer()];
      assert.ok(near([...a], [...b], 40));
    });

    test('location and time are read from the EXIF of a HEIC', async () => {
      const block = exifBlock({
        taken: '2021:04:11 15:47:53',
        offset: '-05:00',
        gps: { latitude: [[161, 4]], latitudeRef: 'N', longitude: [[15, 4]], longitudeRef: 'W' },
      });
      const image = await studio.process('place', withExif(sample, block));
      assert.deepEqual(image.coordinates, { latitude: 40.25, longitude: -3.75 });
      assert.deepEqual(image.taken, { wallTime: '20210411_154753', offsetMinutes: -300 });
    });

    test('HEIC images do not delay others', async () => {
      const png = await plain(9, 9, [1, 2, 3]).png().toBuffer(); // before the cores are busy
      // On a busy machine the small one may come last by chance, but not always.
      for (let round = 1; round <= 5; round += 1) {
        const order: string[] = [];
        const heic = Array.from({ length: 8 }, (_, i) =>
          studio.process(`queue-${round}-${i}.heic`, sample).then(() => order.push('heic')),
        );
        const common = studio.process(`queue-${round}.png`, png).then(() => order.push('png'));
        await Promise.all([...heic, common]);
        if (order.at(-1) !== 'png') return;
      }
      assert.fail('the PNG was last each time');
    });
  });
}
