import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { usualImaging } from '../../testkit/imaging-options.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { Inspector } from './inspector.js';

test('an inspection is given up after its time, and works with more of it', async (t) => {
  const dir = await temporaryDirectory('inspector');
  t.after(() => rm(dir, { recursive: true }));
  const path = join(dir, 'small.png');
  await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } }).toFile(path);
  const { maxPixels, heifDecoder } = usualImaging;
  const hasty = new Inspector({ maxPixels, heifDecoder }, 1);
  assert.equal((await hasty.inspect(path)).kind, 'stalled', 'its thread starts later');
  await hasty.close();
  const patient = new Inspector({ maxPixels, heifDecoder });
  assert.equal((await patient.inspect(path)).kind, 'inspected');
  assert.equal(await patient.works(dir), true);
  assert.equal(await patient.works(join(dir, 'none')), false);
  await patient.close();
  assert.deepEqual(await readdir(dir), ['small.png']);
});
