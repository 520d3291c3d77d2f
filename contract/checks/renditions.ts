import assert from 'node:assert/strict';
import sharp from 'sharp';
import { bytesOf } from '../../testkit/fetch.js';
import { area } from '../harness.js';
import { canvas } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import type { World } from '../../testkit/world.js';
import { picture } from '../../testkit/world.js';

/** Uploads the bytes. @returns the image for display. */
async function shown(world: World, bytes: Buffer) {
  const image = await (await world.user()).upload({}, bytes);
  const display = await bytesOf(image.path_url);
  return { image, display, metadata: await sharp(display).metadata() };
}

/** Just larger than what is displayed unchanged. */
const large = [1100, 1060] as const;

/** The fastest encoder settings of each format. */
const quick = {
  png: { compressionLevel: 1 },
  webp: { effort: 0 },
  avif: { effort: 0 },
  gif: { effort: 1 },
  // By default sharp compresses TIFF as JPEG, which does not support transparency.
  tiff: { compression: 'lzw' },
} as const;

const thumb = async (image: Image) => sharp(await bytesOf(image.thumb_url)).metadata();

export const renditions = area('renditions', (check) => {
  check('uploadImage', '§6.8 path_url fits inside 1024 × 1024, aspect kept', async (world) => {
    const { metadata, image } = await shown(world, await canvas(1600, 1200).jpeg().toBuffer());
    assert.deepEqual([metadata.width, metadata.height, metadata.format], [1024, 768, 'jpeg']);
    assert.equal(image.resolution, '1600x1200');
  });

  for (const [width, height] of [
    [1024, 1300],
    [1300, 1024],
    [1024, 1024],
    [300, 200],
  ] as const) {
    check(
      'uploadImage',
      `§6.8 ${width} × ${height} is displayed unchanged, bit for bit`,
      async (world) => {
        const bytes = await canvas(width, height).jpeg().toBuffer();
        assert.deepEqual((await shown(world, bytes)).display, bytes);
      },
    );
  }

  for (const format of ['png', 'webp', 'avif'] as const) {
    check('uploadImage', `§6.8 a ${format} stays in its format`, async (world) => {
      const bytes = await canvas(...large, true)
        .toFormat(format, quick[format])
        .toBuffer();
      const { metadata } = await shown(world, bytes);
      const allowed = format === 'avif' ? ['heif', 'webp'] : [format];
      assert.ok(allowed.includes(metadata.format), metadata.format);
      assert.deepEqual([metadata.width, metadata.hasAlpha], [1024, true]);
    });
  }

  for (const format of ['tiff', 'gif'] as const) {
    check(
      'uploadImage',
      `§6.8 a ${format} becomes JPEG, or PNG with transparency`,
      async (world) => {
        const opaque = await canvas(...large)
          .toFormat(format, quick[format])
          .toBuffer();
        const clear = await canvas(...large, true)
          .toFormat(format, quick[format])
          .toBuffer();
        assert.equal((await shown(world, opaque)).metadata.format, 'jpeg');
        assert.equal((await shown(world, clear)).metadata.format, 'png');
      },
    );
  }

  check(
    'uploadImage',
    '§6.8 a small TIFF is converted for display, a small GIF displayed unchanged',
    async (world) => {
      const tiff = await canvas(50, 40).tiff().toBuffer();
      const { metadata } = await shown(world, tiff);
      assert.deepEqual([metadata.format, metadata.width], ['jpeg', 50]);
      const gif = await canvas(50, 40).gif().toBuffer();
      assert.deepEqual((await shown(world, gif)).display, gif);
    },
  );

  check('uploadImage', '§6.8 orientation is applied, in resolution too', async (world) => {
    const bytes = await canvas(1600, 1200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { metadata, image } = await shown(world, bytes);
    assert.equal(image.resolution, '1200x1600');
    assert.deepEqual([metadata.width, metadata.height], [768, 1024]);
    assert.ok(metadata.orientation === undefined || metadata.orientation === 1);
  });

  check('uploadImage', '§6.8 renditions contain no metadata', async (world) => {
    const place = { latitude: 37.5, longitude: 127 };
    const { metadata, image } = await shown(
      world,
      await picture({ width: 1100, height: 1060, place }),
    );
    assert.equal(metadata.exif, undefined);
    assert.equal((await thumb(image)).exif, undefined);
  });

  check('uploadImage', '§6.8 color profiles are converted to sRGB', async (world) => {
    const red = { width: 1200, height: 1100, channels: 3, background: '#00ff00' } as const;
    const wide = await sharp({ create: red }).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
    const { display } = await shown(world, wide);
    const wanted = await sharp(wide).toColourspace('srgb').raw().toBuffer();
    const found = await sharp(display).raw().toBuffer();
    for (const channel of [0, 1, 2]) {
      const distance = Math.abs((found[channel] ?? 0) - (wanted[channel] ?? 0));
      assert.ok(distance <= 6, `channel ${channel} is ${distance} off`);
    }
  });

  check('uploadImage', '§6.9 thumb_url fits inside 256 × 256, never enlarged', async (world) => {
    const large = (await shown(world, await canvas(1000, 500).png().toBuffer())).image;
    const small = (await shown(world, await canvas(100, 50).png().toBuffer())).image;
    const sizes = [await thumb(large), await thumb(small)].map(({ width, height }) => [
      width,
      height,
    ]);
    assert.deepEqual(sizes, [
      [256, 128],
      [100, 50],
    ]);
  });

  check('getImage', 'X9.1 full_url is the whole picture, in what browsers show', async (world) => {
    const pixels = canvas(1600, 1200).withMetadata({ orientation: 6 });
    const { image } = await shown(world, await pixels.tiff(quick.tiff).toBuffer());
    const whole = await sharp(await bytesOf(image.full_url ?? '')).metadata();
    assert.deepEqual([whole.format, whole.width, whole.height], ['jpeg', 1200, 1600]);
    assert.deepEqual([whole.exif, whole.orientation], [undefined, undefined]);
    const clear = await canvas(1100, 20, true).tiff(quick.tiff).toBuffer();
    const transparent = (await shown(world, clear)).image;
    const { format, hasAlpha } = await sharp(await bytesOf(transparent.full_url ?? '')).metadata();
    assert.deepEqual([format, hasAlpha], ['png', true]);
    const jpeg = await canvas(1100, 1060).jpeg().toBuffer();
    assert.deepEqual(await bytesOf((await shown(world, jpeg)).image.full_url ?? ''), jpeg);
  });

  check(
    'uploadImage',
    '§6.4 one frame of an animation is displayed, the original kept',
    async (world) => {
      const frames = await sharp(await canvas(1040, 2080).raw().toBuffer(), {
        raw: { width: 1040, height: 2080, channels: 3, pageHeight: 1040 },
      })
        .gif(quick.gif)
        .toBuffer();
      const { image, metadata } = await shown(world, frames);
      assert.deepEqual(
        [image.resolution, metadata.width, metadata.height],
        ['1040x1040', 1024, 1024],
      );
      assert.ok((metadata.pages ?? 1) === 1);
      assert.deepEqual(await bytesOf(image.org_path_url), frames);
    },
  );
});
