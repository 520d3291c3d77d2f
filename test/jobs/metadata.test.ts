import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { unavailable } from '../../src/base/errors/catalogue.js';
import { WallClock } from '../../src/base/time.js';
import { tryWithLock } from '../../src/database/locks.js';
import { column, row, rows } from '../../src/database/sql.js';
import { countUnread, readUnread } from '../../src/library/images/unread.js';
import { scheduledJobs } from '../../src/ops/jobs/scheduled-jobs.js';
import { objectKey } from '../../src/store/object-key.js';
import { ascii, exif, jpegWith, named, rationals } from '../../testkit/drawn-exif.js';
import { testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { updatedAt } from '../../testkit/image-rows.js';
import { namedPart } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { logger } from '../../testkit/silent-logger.js';
import type { Member } from '../../testkit/world.js';

const scope = lastFirst({ after });
const { url } = await testDatabase(scope);
const service = await ownService(scope, { 'database.url': url });
const here = ['--home', service.home.dir, '--database-url', url, '--json'];
const { db } = service;
const { store, imaging } = service.service;
const folder = service.home.incoming;

let made = 0;
/** A picture that tells all, each with other bytes. */
const picture = (): Promise<Buffer> => {
  const gps = {
    6: rationals([[1234, 100]]),
    17: rationals([[27135, 100]]),
    31: rationals([[475, 100]]),
  };
  const main = { 0x010f: ascii('Apple'), 0x0110: ascii(`iPhone ${(made += 1)}`) };
  const photo = { 0x9003: ascii('2024:05:06 16:08:09'), 0x9011: ascii('+09:00') };
  return jpegWith(named('Exif\0\0', exif({ main, photo, gps })));
};

async function upload(album: Member): Promise<Image> {
  const form = { image_data: namedPart(await picture(), 'a.jpg') };
  return (await album.call<Image>('POST', '/images', { form })).result;
}

/** Makes images as the migration leaves those that are there already. */
const forget = (ids: readonly string[]): Promise<unknown> =>
  rows(
    db,
    `UPDATE images SET direction = NULL, altitude_m = NULL, accuracy_m = NULL, camera = NULL,
       taken_at = NULL, unread_fields = '{direction,altitude_m,accuracy_m,camera,taken_at}'
     WHERE id = ANY ($1)`,
    [ids],
  );

const read = (changes: Partial<Parameters<typeof readUnread>[0]> = {}) =>
  readUnread({
    db,
    store,
    imaging,
    folder,
    clock: new WallClock('Asia/Seoul'),
    budget: Infinity,
    rest: 0,
    signal: new AbortController().signal,
    ...changes,
  });

const dataOf = ({ direction, altitude_m, accuracy_m, camera, taken_at }: Image) => ({
  direction,
  altitude_m,
  accuracy_m,
  camera,
  taken_at,
});
const unread = (): Promise<string[]> =>
  column(db, 'SELECT id FROM images WHERE unread_fields IS NOT NULL ORDER BY id', []);
const fileOf = async ({ id }: Image): Promise<string> => {
  const found = await row<{ platformId: string; userId: string }>(
    db,
    'SELECT platform_id AS "platformId", user_id AS "userId" FROM images WHERE id = $1',
    [id],
  );
  assert.ok(found);
  const key = objectKey({ ...found, imageId: id, versionId: id }, 'original', 'jpg');
  return join(service.home.store, key);
};

describe('the job that reads older files', () => {
  test('fills in what is empty, once, tells the feed, and counts as a change', async () => {
    const album = await service.user();
    const image = await upload(album);
    await forget([image.id]);
    const before = await updatedAt(service.db, image.id);
    const entries = () =>
      rows<{ action: number; actor: number }>(
        db,
        'SELECT action, actor FROM changes WHERE id = $1 ORDER BY seq',
        [image.id],
      );
    const told = await entries();
    const { bytes, ...done } = await read();
    assert.deepEqual(done, { images: 1, changed: 1, missing: 0, failed: 0 });
    assert.ok(bytes > 0);
    assert.deepEqual(dataOf(await album.image(image.id)), dataOf(image));
    assert.equal(image.direction, 271.35);
    assert.ok((await updatedAt(service.db, image.id)) > before);
    const last = (await entries()).slice(told.length);
    assert.deepEqual(last, [{ action: 1, actor: 4 }], 'updated, by the system');
    assert.deepEqual(await unread(), []);
    assert.equal((await read()).images, 0);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name !== 'decoders'),
      [],
    );
  });

  test('leaves alone what a client has set or cleared', async () => {
    const album = await service.user();
    const image = await upload(album);
    await forget([image.id]);
    await album.put<Image>(`/images/${image.id}`, { camera: 'Mine', direction: '' });
    await album.put<Image>(`/images/${image.id}`, { altitude_m: '5' });
    await album.put<Image>(`/images/${image.id}`, { altitude_m: '' });
    const entries = () => column(db, 'SELECT seq FROM changes WHERE id = $1', [image.id]);
    const told = (await entries()).length;
    await read();
    const { accuracy_m, taken_at } = image;
    assert.deepEqual(dataOf(await album.image(image.id)), {
      direction: null,
      altitude_m: null,
      camera: 'Mine',
      accuracy_m,
      taken_at,
    });
    assert.equal((await entries()).length, told + 1);
    // Nothing is left of the list to be emptied, so that clearing again is no change.
    const at = await updatedAt(service.db, image.id);
    await album.put<Image>(`/images/${image.id}`, { direction: '' });
    assert.equal(await updatedAt(service.db, image.id), at);
  });

  test('marks missing and broken files as read, without a change', async () => {
    const album = await service.user();
    const images = [await upload(album), await upload(album), await upload(album)] as const;
    await forget(images.map(({ id }) => id));
    const [missing, broken, cut] = await Promise.all(images.map(fileOf));
    await rm(missing ?? '');
    await writeFile(broken ?? '', 'no picture at all');
    await writeFile(cut ?? '', (await picture()).subarray(0, 40));
    const entries = () => column(db, 'SELECT seq FROM changes WHERE user_id = $1', [album.id]);
    const told = await entries();
    const done = await read();
    assert.deepEqual([done.images, done.changed, done.missing, done.failed], [3, 0, 1, 0]);
    assert.deepEqual(await unread(), []);
    assert.deepEqual(await entries(), told);
  });

  test('stops at its budget, or when asked to, and goes on where it stopped', async () => {
    const album = await service.user();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await upload(album)).id);
    await forget(ids);
    assert.equal((await read({ budget: 1 })).images, 1);
    assert.deepEqual(await unread(), ids.slice(1));
    const stopping = new AbortController();
    const stopAfter = {
      readMetadata: (...file: Parameters<typeof imaging.readMetadata>) => {
        stopping.abort();
        return imaging.readMetadata(...file);
      },
    };
    const stopped = await read({ imaging: stopAfter, signal: stopping.signal, rest: 1000 });
    assert.equal(stopped.images, 1);
    assert.deepEqual(await unread(), ids.slice(2));
    assert.equal(await countUnread(db), 3);
    assert.equal(await countUnread(db, 2), 2);
    assert.equal((await read()).images, 3);
  });

  test('passes over a file that cannot be read now, and gives up when none can', async () => {
    const album = await service.user();
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await upload(album)).id);
    await forget(ids);
    const failing = (isBad: (key: string) => boolean) => ({
      get: (key: string) =>
        isBad(key) ? Promise.reject(unavailable('The object store')) : store.get(key),
    });
    const one = await read({ store: failing((key) => key.includes(ids[0] ?? '')) });
    assert.deepEqual([one.images, one.failed], [5, 1]);
    assert.deepEqual(await unread(), ids.slice(0, 1));
    await forget(ids);
    await assert.rejects(read({ store: failing(() => true) }), /object store/);
    assert.deepEqual(await unread(), ids);
    assert.equal((await read()).images, 6);
  });

  test('does nothing for images and users that go away meanwhile', async () => {
    const album = await service.user();
    const [image, other] = [await upload(album), await upload(await service.user())];
    await forget([image.id, other.id]);
    const goingAway = {
      readMetadata: async (...file: Parameters<typeof imaging.readMetadata>) => {
        await rows(db, 'DELETE FROM images WHERE id = ANY ($1)', [[image.id, other.id]]);
        return imaging.readMetadata(...file);
      },
    };
    assert.equal((await read({ imaging: goingAway })).changed, 0);
    assert.deepEqual(await unread(), []);
  });

  test('fills in nothing new when a client is faster', async () => {
    const album = await service.user();
    const image = await upload(album);
    await forget([image.id]);
    const racing = {
      readMetadata: async (...file: Parameters<typeof imaging.readMetadata>) => {
        await album.put<Image>(`/images/${image.id}`, { direction: '', camera: 'Faster' });
        return imaging.readMetadata(...file);
      },
    };
    await read({ imaging: racing });
    const { direction, camera, altitude_m } = await album.image(image.id);
    assert.deepEqual([direction, camera, altitude_m], [null, 'Faster', 12.34]);
  });

  test('is scheduled, and one node at a time does it', async () => {
    const album = await service.user();
    const image = await upload(album);
    await forget([image.id]);
    const config = { timezone: 'UTC', 'verify.bytes_per_night': 1_000_000 };
    const jobs = (settings: object) =>
      scheduledJobs({
        db,
        store,
        logger,
        home: service.home,
        config: settings as never,
        openImaging: (work) => work(imaging, folder),
      });
    const job = jobs(config).find(({ name }) => name === 'read metadata');
    assert.ok(job);
    const { signal } = new AbortController();
    await tryWithLock(db, 'metadata', async () => assert.equal(await job.run(signal), undefined));
    assert.deepEqual(await unread(), [image.id]);
    assert.equal(((await job.run(signal)) as { images: number }).images, 1);
    assert.equal(await job.run(signal), undefined, 'nothing is left');
    const off = jobs({ ...config, 'verify.bytes_per_night': 0 });
    assert.ok(!off.some(({ name }) => name === 'read metadata'));
  });

  test('runs from the terminal, with an imaging process of its own, and shows in the status', async () => {
    const image = await upload(await service.user());
    await forget([image.id]);
    const status = async () =>
      (JSON.parse((await hosted(['status', ...here])).stdout) as { unread_images: number })
        .unread_images;
    assert.equal(await status(), 1);
    const ran = await hosted(['jobs', 'run', 'read-metadata', ...here]);
    assert.equal(ran.code, 0, ran.stderr);
    const { result } = JSON.parse(ran.stdout) as { result: { images: number; changed: number } };
    assert.deepEqual([result.images, result.changed], [1, 1]);
    assert.equal(await status(), 0);
    const left = await readdir(folder);
    assert.deepEqual(
      left.filter((name) => name !== 'decoders'),
      [],
    );
  });

  test('costs new images nothing: they are never among the unread', async () => {
    await upload(await service.user());
    assert.deepEqual(await unread(), []);
  });
});
