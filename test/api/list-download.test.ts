import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { objectKey } from '../../src/store/object-key.js';
import { eventually } from '../../testkit/eventually.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm } from '../../testkit/long-form.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';
import { readZip } from '../../testkit/zip.js';
import { HeldWhileReading } from '../../testkit/held-memory.js';

const service = await testService();
const query = { view_type: 'list', download: 'True', search: '공원', date: '20250102' };

const download = (user: Member) =>
  service.client.raw('GET', user.images, { as: ['User', user.token], query });

test('entries with the same filename get unique names', async () => {
  const user = await service.user();
  await manyPictures(user, 3, 10, () => ({ filename: 'same.jpg' }));
  const entries = readZip(Buffer.from(await (await download(user)).arrayBuffer()));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['same.jpg', 'same (2).jpg', 'same (3).jpg', 'images.csv'],
  );
});

test('entries have names that file systems take, whole characters with their ending', async () => {
  const user = await service.user();
  await manyPictures(user, 2, 10, () => ({ filename: `${'가'.repeat(251)}.jpg` }));
  const entries = readZip(Buffer.from(await (await download(user)).arrayBuffer()));
  assert.deepEqual(
    entries.map(({ name }) => name),
    [`${'가'.repeat(83)}.jpg`, `${'가'.repeat(82)} (2).jpg`, 'images.csv'],
  );
});

describe('a long download', async () => {
  const user = await service.user();
  const [count, bytes] = [longForm ? 1000 : 250, 128 * 1024];
  await manyPictures(user, count, bytes);

  /** The response of Node's HTTP client, which reads only as fast as the test reads. */
  const start = async (): Promise<IncomingMessage> => {
    const url = new URL(user.images, service.client.base);
    url.search = new URLSearchParams(query).toString();
    const headers = { authorization: `User ${user.token}` };
    return new Promise((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).once('error', reject);
    });
  };

  test('of many pictures takes constant memory', async () => {
    const held = new HeldWhileReading();
    for await (const chunk of await start()) held.note(chunk as Buffer);
    assert.ok(held.read > count * bytes);
    assert.ok(held.peak < 32 * 1024 * 1024, `${held.peak} bytes of ${held.read}`);
  });

  test('opens one image at a time, waits for a slow client, and stops when the client disconnects', async () => {
    const answer = await start();
    answer.once('error', () => undefined);
    await new Promise((resolve) => answer.once('readable', resolve));
    await eventually('a picture is open', async () => (await openObjects()) > 0);
    let opened = 0;
    for (let looks = 0; looks < 20; looks += 1) opened = Math.max(opened, await openObjects());
    assert.ok(opened <= 2, `${opened} open`);
    answer.destroy();
    await eventually('all are closed', async () => (await openObjects()) === 0);
  });
});

/** Files of the store that this process has open. */
async function openObjects(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(links)).filter((path) => path.startsWith(service.home.store)).length;
}

/** Creates images with random bytes as objects, bypassing the imaging process. */
async function manyPictures(
  user: Member,
  count: number,
  bytes: number,
  more: (n: number) => object = () => ({}),
): Promise<void> {
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: count }, (_, n) => ({
      created_at: '2025-01-02T03:00:00Z',
      address_road: '공원',
      bytes,
      ...more(n),
    })),
  );
  const objects = ids.map((id) => {
    const version = { platformId: user.platformId, userId: user.id, imageId: id, versionId: id };
    return { key: objectKey(version, 'original', 'jpg'), path: join(service.home.incoming, id) };
  });
  for (const { path } of objects) await writeFile(path, randomBytes(bytes));
  await service.service.store.put(objects);
}
