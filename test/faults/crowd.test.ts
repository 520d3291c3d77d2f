import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { longForm, longOnly } from '../../testkit/long-form.js';
import { jpeg } from '../../testkit/pictures.js';
import { balance } from './accounts.js';
import { memoryOf, PeakMemory } from '../../testkit/memory.js';
import { appliance } from '../../testkit/appliance.js';

/** Maximum memory of all processes together, in megabytes: idle and under load. */
const atRest = 200;
const underLoad = 500;
const concurrency = 8;

/** Number of pictures; memory reaches its peak long before the last one. */
const count = longForm ? 48 : 24;

/**
 * Noise does not compress: 17 megapixels that are as large in the file as in memory. Made before the
 * first request, since it keeps this process from noticing that the server closes idle connections.
 */
const side = 4150;
const noise = await sharp(randomFillSync(Buffer.alloc(side * side * 3)), {
  raw: { width: side, height: side, channels: 3 },
})
  .png({ compressionLevel: 0 })
  .toBuffer();

const started = await appliance({ after }, { privately: true });
const { home, user } = started;

test('all processes together stay small after startup', async (t) => {
  const resting = await memoryOf(started);
  t.diagnostic(`${resting} MB after the start`);
  assert.ok(resting <= atRest, `${resting} MB`);
});

test('many pictures, eight at a time: all are stored, in bounded memory', async (t) => {
  const memory = await PeakMemory.watch(t, started);
  const stored = new Map<string, Uint8Array>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = (next += 1); n <= count; n = next += 1) {
      const picture = await jpeg({ width: 1280, height: 960, seed: n });
      const { status, result } = await user.tryUpload({}, picture);
      assert.equal(status, 200);
      stored.set(result.id, picture);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { peak } = await memory.stop();
  t.diagnostic(`${peak} MB at most`);
  assert.equal(stored.size, count);
  assert.equal(await user.count(), count);
  for (const [id, picture] of stored) await user.expectBytes(id, picture);
  assert.ok(peak <= underLoad, `${peak} MB`);
  assert.deepEqual(await balance(home), { objects: 3 * count, waiting: 0 });
});

test(
  'eight uploads of almost 50 MB at once: all are stored, in bounded memory',
  longOnly,
  async (t) => {
    assert.ok(noise.length > 49e6 && noise.length <= 50 * 1024 * 1024);
    const memory = await PeakMemory.watch(t, started);
    const answers = await Promise.all(
      Array.from({ length: concurrency }, () => user.tryUpload({}, noise)),
    );
    const { peak } = await memory.stop();
    t.diagnostic(`${peak} MB at most`);
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
    assert.ok(peak <= underLoad, `${peak} MB`);
  },
);
