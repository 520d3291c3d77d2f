import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { objectKey } from '../../src/store/object-key.js';
import { archiverNames, check } from '../../testkit/archivers.js';
import { eventually } from '../../testkit/eventually.js';
import { refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm, longOnly } from '../../testkit/long-form.js';
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

test('entries end like their format, and are safe to unpack', async () => {
  const user = await service.user();
  const names = ['evil.sh', 'IMG.JPEG', '../a:b?.jpg', 'nul.jpg', 'end. '];
  await manyPictures(user, names.length, 10, (n) => ({
    filename: 'x.jpg',
    original_name: names[n],
  }));
  const entries = readZip(Buffer.from(await (await download(user)).arrayBuffer()));
  assert.deepEqual(entries.map(({ name }) => name).sort(), [
    '.._a_b_.jpg',
    'IMG.JPEG',
    '_nul.jpg',
    'end. .jpg',
    'evil.sh.jpg',
    'images.csv',
  ]);
});

test('the length comes first; ranges are ignored, and every archiver opens it', async () => {
  const user = await service.user();
  await manyPictures(user, 3, 1000);
  const answer = await service.client.raw('GET', user.images, {
    as: ['User', user.token],
    query,
    headers: { range: 'bytes=10-' },
  });
  assert.equal(answer.status, 200);
  const zip = Buffer.from(await answer.arrayBuffer());
  assert.equal(Number(answer.headers.get('content-length')), zip.length);
  assert.equal(answer.headers.get('accept-ranges'), null);
  assert.equal(answer.headers.get('etag'), null);
  const path = join(service.home.incoming, `${user.id}.zip`);
  await writeFile(path, zip);
  for (const archiver of archiverNames) await check(archiver, path);
  await rm(path);
});

test('an image whose file is missing, or not whole, is in the table alone', async () => {
  const user = await service.user();
  const [lost = '', torn = '', whole = ''] = await manyPictures(user, 3, 100);
  await service.service.store.delete([lost, torn].map((id) => keyOf(user, id)));
  await put(user, torn, 50);
  const files = readZip(Buffer.from(await (await download(user)).arrayBuffer()));
  assert.deepEqual(
    files.map(({ name }) => name),
    [`${whole}.jpg`, 'images.csv'],
  );
  const lines = String(files[1]?.data).split('\r\n');
  for (const id of [lost, torn]) assert.ok(lines.some((line) => line.startsWith(`,${id},`)));
  assert.ok(lines.some((line) => line.startsWith(`${whole}.jpg,${whole},`)));
});

test('more than 10,000 images are refused', longOnly, async () => {
  const user = await service.user();
  const image = { created_at: '2025-01-02T03:00:00Z', address_road: '공원' };
  await seedImages(
    service,
    user,
    Array.from({ length: 10_001 }, () => image),
  );
  await service.db.query('ANALYZE images, image_texts'); // as PostgreSQL does by itself after a while
  refused(
    await service.client.get(user.images, { as: ['User', user.token], query }),
    400,
    'too_many_images',
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
): Promise<string[]> {
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
  for (const id of ids) await put(user, id, bytes);
  return ids;
}

const keyOf = ({ id: userId, platformId }: Member, id: string): string =>
  objectKey({ platformId, userId, imageId: id, versionId: id }, 'original', 'jpg');

async function put(user: Member, id: string, bytes: number): Promise<void> {
  const path = join(service.home.incoming, id);
  await writeFile(path, randomBytes(bytes));
  await service.service.store.put([{ key: keyOf(user, id), path }]);
}
