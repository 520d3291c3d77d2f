import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { objectKey } from '../../src/store/object-key.js';
import { HeldWhileReading } from '../../testkit/held-memory.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm } from '../../testkit/long-form.js';
import { canvas } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { askFor, file } from './support.js';

const service = await testService();
const [few, many] = longForm ? [200, 2000] : [10, 100];
const user = await service.user();
const picture = await canvas(640, 480).jpeg({ quality: 100 }).toBuffer();

const seeded = Array.from({ length: many }, (_, n) => ({ address_road: `주소 ${n}` }));
const ids = await seedImages(service, user, seeded);
const hash = createHash('sha256').update(picture).digest();
await service.db.query('UPDATE images SET hash = $2 WHERE user_id = $1', [user.id, hash]);
for (const id of ids) {
  const version = { platformId: user.platformId, userId: user.id, imageId: id, versionId: id };
  const path = await file(picture, 'jpg');
  await service.service.store.put([{ key: objectKey(version, 'original', 'jpg'), path }]);
}

/** Bytes that this process holds while a ledger of the first images is read, at most. */
async function heldFor(count: number, format: string): Promise<{ peak: number; read: number }> {
  const image_ids = ids.slice(0, count).join();
  const { url } = await askFor(user, { image_ids, format, layout: '6' });
  const { body } = await fetch(url);
  assert.ok(body);
  const held = new HeldWhileReading();
  for await (const chunk of body) held.note(chunk as Uint8Array);
  return held;
}

for (const format of ['pdf', 'xlsx']) {
  test(`a ledger of many pictures takes as much memory as one of few (${format})`, async () => {
    await heldFor(few, format); // what is loaded once
    const small = await heldFor(few, format);
    const large = await heldFor(many, format);
    assert.ok(large.read > 5 * small.read);
    const growth = large.peak - Math.max(0, small.peak);
    assert.ok(growth < 12 * 1024 * 1024, `${growth} bytes more of ${large.read}`);
  });
}
