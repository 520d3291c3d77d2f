import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImageRecord } from '../../src/images/schemas.js';
import { objectKey } from '../../src/store/layout.js';
import { seedImages } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';
import { readZip } from '../../testkit/zip.js';
import { HeldWhileReading } from '../../testkit/held-memory.js';

const service = await testService({ after });
const query = { view_type: 'list', download: 'True', search: '공원', date: '20250102' };

const download = (user: TestUser, more: Record<string, string> = {}) =>
  service.client.raw('GET', user.images, {
    as: ['User', user.token],
    query: { ...query, ...more },
  });

const upload = async (user: TestUser, picture: Uint8Array, fields: Record<string, string>) => {
  const { result, error } = await service.client.post<ImageRecord>(user.images, {
    as: ['User', user.token],
    form: { ...fields, image_data: filePart(picture) },
  });
  assert.equal(error, undefined);
  return result;
};

describe('a download', async () => {
  const user = await service.user();
  const pictures = [await jpeg({ seed: 1 }), await jpeg({ seed: 2 }), await jpeg({ seed: 3 })];
  const edited = await jpeg({ seed: 4, width: 200 });
  const fields = { created_at: '20250102_120000', address_road: '=공원, "남쪽"' };
  const [first, second, other] = [
    await upload(user, pictures[0] ?? edited, fields),
    await upload(user, pictures[1] ?? edited, { ...fields, building_name: '-1' }),
    await upload(user, pictures[2] ?? edited, { ...fields, created_at: '20250103_120000' }),
  ];
  await service.client.post(`${user.images}/${second.id}/filedata`, {
    as: ['User', user.token],
    form: { image_data: filePart(edited) },
  });
  const [lost] = await seedImages(service, user, [
    { created_at: '2025-01-02T03:00:00Z', address_road: '공원' }, // its object is gone
  ]);

  test('is a ZIP of the current versions as they were uploaded, and a table of the records', async () => {
    const answer = await download(user, { with_memo: 'True' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="images_\d{8}_\d{6}\.zip"$/,
    );
    const entries = readZip(Buffer.from(await answer.arrayBuffer()));
    const table = entries.pop();
    assert.deepEqual(
      new Map(entries.map(({ name, data }) => [/_([01])\.jpg$/.exec(name)?.[1], data])),
      new Map([
        ['1', edited],
        ['0', pictures[0]],
      ]),
    );
    assert.equal(entries.length, 2);
    assert.ok(entries.some(({ name }) => name === first.filename));

    assert.equal(table?.name, 'images.csv');
    const text = table.data.toString('utf8');
    assert.ok(text.startsWith('\uFEFFfile,id,filename,'));
    const lines = text.trimEnd().split('\r\n');
    assert.equal(lines.length, 3);
    const line = lines.find((one) => one.includes(first.id)) ?? '';
    assert.ok(line.startsWith(`${first.filename},${first.id},${first.filename},,20250102_120000,`));
    assert.ok(line.includes(`,"'=공원, ""남쪽""",`), 'quoted, and no formula');
    assert.ok(line.endsWith(',[],,'), 'memos as asked for');
    assert.ok(!text.includes(other.id) && !text.includes(lost ?? '?'));
  });

  test('of nothing is a ZIP with a table of no lines', async () => {
    const answer = await download(user, { search: 'nothing' });
    const [table, ...more] = readZip(Buffer.from(await answer.arrayBuffer()));
    assert.deepEqual([table?.name, more.length], ['images.csv', 0]);
    assert.equal(table?.data.toString().split('\r\n').length, 2);
  });

  test('takes has_det into account', async () => {
    const answer = await download(user, { has_det: 'True' });
    assert.equal(readZip(Buffer.from(await answer.arrayBuffer())).length, 1);
  });

  test('is no ZIP in another view, nor without download', async () => {
    const others: Record<string, string>[] = [
      { view_type: 'grid' },
      { download: 'False' },
      { download: 'None' },
    ];
    for (const more of others) {
      const answer = await download(user, more);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      await answer.body?.cancel();
    }
  });

  test('answers HEAD without a body', async () => {
    const answer = await service.client.raw('HEAD', user.images, {
      as: ['User', user.token],
      query,
    });
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.equal((await answer.arrayBuffer()).byteLength, 0);
  });
});

test('entries of the same filename get names of their own', async () => {
  const user = await service.user();
  await manyPictures(user, 3, 10, () => ({ filename: 'same.jpg' }));
  const entries = readZip(Buffer.from(await (await download(user)).arrayBuffer()));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['same.jpg', 'same (2).jpg', 'same (3).jpg', 'images.csv'],
  );
});

describe('a long download', async () => {
  const user = await service.user();
  const [count, bytes] = [1000, 128 * 1024];
  await manyPictures(user, count, bytes);

  /** The answer as Node gives it: read only as fast as we read. */
  const start = async (): Promise<IncomingMessage> => {
    const url = new URL(user.images, service.client.base);
    url.search = new URLSearchParams(query).toString();
    const headers = { authorization: `User ${user.token}` };
    return new Promise((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).once('error', reject);
    });
  };

  test('of 1,000 pictures does not grow in memory', async () => {
    const held = new HeldWhileReading();
    for await (const chunk of await start()) held.note(chunk as Buffer);
    assert.ok(held.read > count * bytes);
    assert.ok(held.peak < 32 * 1024 * 1024, `${held.peak} bytes of ${held.read}`);
  });

  test('opens one picture at a time, waits for a slow client, and stops when the client goes', async () => {
    const answer = await start();
    answer.once('error', () => undefined);
    await new Promise((resolve) => answer.once('readable', resolve));
    let [opened, looks] = [0, 0];
    for (; looks < 20 || opened === 0; looks += 1) opened = Math.max(opened, await openObjects());
    assert.ok(opened <= 2, `${opened} open`);
    answer.destroy();
    while ((await openObjects()) > 0) await wait(10);
  });
});

/** Files of the store that this process holds open. */
async function openObjects(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(links)).filter((path) => path.startsWith(service.home.store)).length;
}

/** Images with objects of random bytes, which pass the imaging process by. */
async function manyPictures(
  user: TestUser,
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
