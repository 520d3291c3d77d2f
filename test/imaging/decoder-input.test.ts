import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { box } from '../../testkit/bombs/heif-file.js';
import { photo } from '../../testkit/photos.js';
import { near, pixel, Studio } from './support.js';

const studio = await Studio.open({ threads: 1 });

test('the first frame of an AVIF sequence is used', async () => {
  const image = await studio.processPhoto('sequence.avif');
  assert.deepEqual([image.format, image.width, image.height], ['avif', 320, 240]);
  // The following frames are a darker green.
  assert.ok(near(await pixel(image.thumb.path, 60, 150), [9, 245, 9], 20));
});

const sample = await readFile(photo('samplefilehub.heif'));
for (const brand of ['mif2', 'miaf', 'hevx', 'msf1']) {
  test(`HEIC of the major brand ${brand} with tracks shows its still`, async () => {
    const typed = Buffer.from(sample);
    typed.write(brand, 8);
    const file = Buffer.concat([typed, box('moov', Buffer.alloc(99, 0xff))]);
    const image = await studio.process(brand, file);
    assert.deepEqual([image.format, image.width, image.height], ['heif', 640, 426]);
  });
}
