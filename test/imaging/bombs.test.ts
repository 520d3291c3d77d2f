import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '../../src/base/errors/catalogue.js';
import * as bombs from '../../testkit/bombs.js';
import { plain, refusedAs, Studio } from './support.js';

const studio = await Studio.open({ threads: 1 });
await studio.process('first.png', plain(9, 9, [1, 2, 3]).png());

// Smaller than possible, so that they are fast to create: a decoder still takes seconds or gigabytes.
const cases: Record<string, [() => Buffer, ErrorCode]> = {
  'a WebP of very many frames': [() => bombs.webpOfFrames(40_000), 'image_too_complex'],
  'a WebP of very many chunks': [() => bombs.webpOfChunks(40_000), 'image_too_complex'],
  'an AVIF grid of large tiles': [() => bombs.avifOfGrid(), 'image_too_complex'],
  'AVIF grids of grids': [() => bombs.avifOfGrids(), 'image_too_complex'],
  'an AVIF of very many frames': [() => bombs.avifOfFrames(), 'image_too_complex'],
  'a TIFF of very many pages': [() => bombs.tiffOfDirectories(100_000), 'image_too_complex'],
  'a TIFF of very many samples': [() => bombs.tiffOfSamples(), 'image_too_complex'],
  'a TIFF of one huge tile': [() => bombs.tiffOfTile(), 'image_too_complex'],
  'a PNG of one long column': [() => bombs.pngOfSize(1, 2_000_000), 'image_too_large'],
  'a PNG of very many chunks': [() => bombs.pngOfChunks(40_000), 'image_too_complex'],
  'a PNG of texts that inflate': [() => bombs.pngOfText(30, 20_000_000), 'image_too_complex'],
  'a GIF of very many frames': [() => bombs.gifOfFrames(200_000), 'image_too_complex'],
  'a GIF with a huge screen': [() => bombs.gifOfScreen(65_000), 'image_too_large'],
  'a JPEG of very many scans': [() => bombs.jpegOfScans(2_000), 'image_too_complex'],
  'a JPEG of very many segments': [() => bombs.jpegOfMarkers(40_000), 'image_too_complex'],
  'an AVIF that lies about its size': [() => bombs.avifThatLies(), 'corrupt_image'],
};

for (const [what, [make, code]] of Object.entries(cases)) {
  test(`${what} is rejected, and the process lives`, async () => {
    const { pid } = studio;
    await assert.rejects(studio.process('bomb', make()), refusedAs(code));
    assert.equal(studio.pid, pid);
    assert.deepEqual(await studio.outputsOf('bomb'), []);
  });
}
