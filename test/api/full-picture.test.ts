import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { sampleAll } from '../../src/base/telemetry/series.js';
import { onlyRow, rows } from '../../src/database/sql.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { objectKey, type VersionId } from '../../src/store/object-key.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { eventually } from '../../testkit/eventually.js';
import { holdUp } from '../../testkit/held-imaging.js';
import { userChanges } from '../../testkit/feeds.js';
import { bytesOf } from '../../testkit/fetch.js';
import { updatedAt } from '../../testkit/image-rows.js';
import { readPhoto } from '../../testkit/photos.js';
import { canvas, filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { listed } from '../../testkit/store/harness.js';
import { check, findingsOf } from '../integrity/checking.js';

const service = await testService();
const { db, client, home } = service;
const { store, imaging } = service.service;
const album = await service.user();
const heic = await readPhoto('grid.heic');

async function upload(bytes: Uint8Array, to = album): Promise<Image> {
  const answer = await to.call<Image>('POST', '/images', { form: { image_data: filePart(bytes) } });
  assert.equal(answer.status, 200, JSON.stringify(answer.error));
  return answer.result;
}

const urlOf = ({ full_url: url }: { full_url?: string | undefined }): string => url ?? '';

const versionOf = ({ id }: Image, to = album): VersionId => {
  const { platformId, id: userId } = to;
  return { platformId, userId, imageId: id, versionId: id };
};

const fullExtension = async ({ id }: Image): Promise<string | null> => {
  const sql = 'SELECT full_extension AS full FROM image_versions WHERE id = $1';
  return (await onlyRow<{ full: string | null }>(db, sql, [id])).full;
};

/** Images that the imaging process has finished so far. */
function finished(): number {
  const metric = sampleAll().find(({ name }) => name === 'imgstore_imaging_images_total');
  return metric?.values.find(({ labels }) => labels.outcome === 'done')?.value ?? NaN;
}

interface Problem {
  readonly status_code: number;
  readonly error: { readonly code: string };
}

const problemOf = async (answer: Response): Promise<[number, string]> => {
  const { status_code: status, error } = (await answer.json()) as Problem;
  assert.equal(status, answer.status);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return [status, error.code];
};

describe('the whole picture', () => {
  test('of a HEIC is a JPEG of its size; then a file like any other', async () => {
    const image = await upload(heic);
    assert.match(urlOf(image), /\/full\?exp=\d+&sig=[\w-]{28}$/);
    assert.equal(await fullExtension(image), null, 'it is not made before somebody asks');
    const head = await fetch(urlOf(image), { method: 'HEAD' });
    assert.equal(head.status, 200);
    const answer = await fetch(urlOf(image));
    assert.equal(answer.headers.get('content-type'), 'image/jpeg');
    assert.match(answer.headers.get('cache-control') ?? '', /^private, max-age=\d+, immutable$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(head.headers.get('content-length'), String(bytes.length));
    const { format, width, height, exif, icc, space } = await sharp(bytes).metadata();
    assert.deepEqual([format, `${width}x${height}`], ['jpeg', image.resolution]);
    assert.deepEqual([exif, icc, space], [undefined, undefined, 'srgb']);

    const range = await fetch(urlOf(image), { headers: { range: 'bytes=2-9' } });
    assert.equal(range.status, 206);
    assert.deepEqual(Buffer.from(await range.arrayBuffer()), bytes.subarray(2, 10));
    const etag = answer.headers.get('etag') ?? '';
    const same = await fetch(urlOf(image), { headers: { 'if-none-match': etag } });
    assert.equal(same.status, 304);
    assert.equal(urlOf(await album.image(image.id)), urlOf(image), 'a browser may keep it');
    await assertAccounts(service);
  });

  test('of a TIFF is upright and without metadata, however large', async () => {
    const tiff = await canvas(1600, 1200)
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '37/1 33/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .tiff()
      .toBuffer();
    const image = await upload(tiff);
    const bytes = await bytesOf(urlOf(image));
    const meta = await sharp(bytes).metadata();
    assert.deepEqual([meta.format, meta.width, meta.height], ['jpeg', 1200, 1600]);
    assert.deepEqual([meta.exif, meta.xmp, meta.orientation], [undefined, undefined, undefined]);
  });

  test('of a transparent picture is a PNG that is as transparent', async () => {
    const image = await upload(
      await canvas(1200, 40, true).tiff({ compression: 'lzw' }).toBuffer(),
    );
    const bytes = await bytesOf(urlOf(image));
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [1200, 40, 4]);
    assert.deepEqual([data[3], data[1199 * 4 + 3]], [0, 255]);
    assert.equal(await fullExtension(image), 'png');
  });

  test('of what browsers show is the stored file itself: no copy is made', async () => {
    const image = await upload(await jpeg({ width: 1100, height: 30 }));
    assert.equal(urlOf(image), image.org_path_url);
    for (const format of ['png', 'webp', 'gif', 'avif'] as const) {
      const shown = await upload(await canvas(64, 48).toFormat(format).toBuffer());
      assert.equal(urlOf(shown), shown.org_path_url, format);
    }
    const before = finished();
    assert.equal((await fetch(urlOf(image))).status, 200);
    assert.equal(finished(), before);
  });

  test('of an edited image is that of its current version; the history has those of the others', async () => {
    const { id } = await upload(heic);
    const form = { image_data: filePart(await jpeg({ width: 60, height: 40 })) };
    const edited = await album.call<Image>('POST', `/images/${id}/filedata`, { form });
    assert.deepEqual(Object.keys(edited.result).filter((name) => name === 'full_url').length, 1);
    const path = `/${id}/filedata`;
    const again = await album.call<Image>('POST', `/images${path}`, {
      form: { image_data: filePart(heic) },
    });
    const [first, second] = again.result.filedatas ?? [];
    assert.equal(urlOf(first ?? {}), first?.path_url);
    assert.equal(urlOf(second ?? {}), urlOf(again.result));
    assert.ok(second && urlOf(second).includes(`/${second.id}/full?`));
    assert.equal((await sharp(await bytesOf(urlOf(second))).metadata()).format, 'jpeg');
    const { result } = await album.call<Image>('GET', `/images/${id}`, {
      query: { with_history: true },
    });
    assert.deepEqual(result.filedatas?.map(urlOf), [urlOf(first ?? {}), urlOf(second)]);
    await assertAccounts(service);
  });

  test('has an address in answers about one image, and in no list', async () => {
    const one = await service.user();
    const folder = (await one.folder('of one')).id;
    const upload = await one.upload({ folder_id: folder });
    await one.call('POST', `/images/${upload.id}/filedata`, {
      form: { image_data: filePart(heic) },
    });
    const as = ['User', one.token] as const;
    const updated = await one.put<Image>(`/images/${upload.id}`, { has_det: 'True' });
    assert.ok(urlOf(updated.result), 'an update');
    const query = { with_history: true };
    const lists = {
      list: ['GET', '', { query }],
      days: ['GET', '', { query: { view_type: 'grid_sep' } }],
      export: ['GET', '/export', { query: { format: 'ndjson' } }],
      share: ['POST', '/share', { query, form: { image_ids: upload.id } }],
    } as const;
    for (const [what, [method, path, call]] of Object.entries(lists)) {
      const answer = await client.raw(method, `${one.images}${path}`, { as, ...call });
      const text = await answer.text();
      assert.ok(text.includes(upload.id) && !text.includes('full_url'), `${what}: ${text}`);
    }
    for (const path of [`folders/${folder}/contents`, 'snapshot']) {
      const answer = await client.raw('GET', `/api/v1/users/${one.id}/${path}`, { as });
      const text = await answer.text();
      assert.ok(!text.includes('full_url'), `${path}: ${text}`);
    }
  });

  test('in a repeat with an Idempotency-Key has a valid address', async () => {
    const headers = { 'idempotency-key': 'whole-picture' };
    const call = { form: { image_data: filePart(heic) }, headers };
    const first = await album.call<Image>('POST', '/images', call);
    const again = await album.call<Image>('POST', '/images', call);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(urlOf(again.result), urlOf(first.result));
    assert.equal((await fetch(urlOf(again.result))).status, 200);
  });

  test('is not for whoever has no valid signature', async () => {
    const [one, other] = [await upload(heic), await upload(heic)];
    const signature = new URL(urlOf(one)).search;
    const urls = [
      urlOf(one).replace(/sig=./, 'sig=~'),
      urlOf(one).replace(one.id, other.id),
      (urlOf(other).split('?')[0] ?? '') + signature,
      urlOf(one).split('?')[0] ?? '',
    ];
    for (const url of urls) {
      assert.deepEqual(await problemOf(await fetch(url)), [403, 'forbidden'], url);
    }
    assert.equal(await fullExtension(one), null);
  });

  test('is counted nowhere: neither quota nor times, feeds, or maps change', async () => {
    const image = await upload(heic);
    await album.put<Image>(`/images/${image.id}`, { latitude: '37.5', longitude: '127' });
    const as = ['User', album.token] as const;
    const state = async () => ({
      user: (await client.get(`/api/v1/users/${album.id}/info`, { as })).result,
      total: (await client.get(`/api/v1/users/${album.id}/stats/total`, { as })).result,
      feed: (await userChanges(service, album)).result.last,
      record: await album.image(image.id),
      updated: await updatedAt(service.db, image.id),
      rows: await rows(db, 'SELECT * FROM users WHERE id = $1', [album.id]),
    });
    const before = await state();
    assert.equal((await fetch(urlOf(image))).status, 200);
    assert.equal(await fullExtension(image), 'jpg');
    assert.deepEqual(await state(), before);
  });
});

describe('making it', () => {
  test('happens once for ten requests at once on two nodes', async () => {
    const image = await upload(heic);
    const other = await service.secondNode();
    const before = finished();
    const urls = [urlOf(image), urlOf(image).replace(client.base, other.base)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => Buffer.from(await bytesOf(urls[i % 2] ?? ''))),
    );
    assert.equal(finished() - before, 1);
    for (const bytes of answers) assert.deepEqual(bytes, answers[0]);
    await assertAccounts(service);
  });

  test('goes on without a client that disconnects, which holds up nobody', async () => {
    const image = await upload(heic);
    const { reached, goOn } = holdUp(imaging);
    const left = new AbortController();
    const request = fetch(urlOf(image), { signal: left.signal });
    await reached();
    left.abort();
    await assert.rejects(request, { name: 'AbortError' });
    goOn();
    await eventually('it is made', async () => (await fullExtension(image)) === 'jpg');
  });

  test('lets a bounded number of requests wait; the others are told to come again', async () => {
    const image = await upload(heic);
    const { reached, goOn } = holdUp(imaging);
    const first = fetch(urlOf(image));
    await reached();
    let refused = 0;
    const others = Array.from({ length: 140 }, async () => {
      const answer = await fetch(urlOf(image));
      if (answer.status === 200) return void (await answer.arrayBuffer());
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.deepEqual(await problemOf(answer), [503, 'unavailable']);
      refused += 1;
    });
    await eventually('some are refused at once', async () => refused > 0);
    goOn();
    await Promise.all(others);
    assert.ok(refused < 20, `${refused} refused`);
    assert.equal((await first).status, 200);
    assert.equal((await fetch(urlOf(image))).status, 200);
  });

  for (const stored of [false, true]) {
    const left = stored ? 'its object and the key of it' : 'the key of its object';
    test(`succeeds after an attempt that left ${left}`, async () => {
      const image = await upload(heic);
      const key = objectKey(versionOf(image), 'full', 'jpg');
      await db.query('INSERT INTO object_reclaim (key, not_before) VALUES ($1, now())', [key]);
      const path = join(home.incoming, 'left behind');
      await writeFile(path, 'what an attempt had stored');
      if (stored) await store.put([{ key, path }]);
      else await rm(path);
      const bytes = await bytesOf(urlOf(image));
      assert.equal(bytes.toString('latin1').startsWith('what an attempt'), stored);
      assert.equal(await fullExtension(image), 'jpg');
      await assertAccounts(service);
    });
  }

  test('of an image that is deleted meanwhile: 404, and nothing is left of it', async () => {
    const folder = (await album.folder('soon gone')).id;
    const form = { folder_id: folder, image_data: filePart(heic) };
    const { result: image } = await album.call<Image>('POST', '/images', { form });
    const { reached, goOn } = holdUp(imaging);
    const request = fetch(urlOf(image));
    await reached();
    const path = `/api/v1/users/${album.id}/folders/${folder}`;
    await client.delete(path, { as: ['User', album.token] });
    goOn();
    assert.deepEqual(await problemOf(await request), [404, 'not_found']);
    await assertAccounts(service);
    await reclaimOnce({ dataSource: db, store });
    const { platformId, id } = album;
    assert.deepEqual(await listed(store, `${platformId}/${id}/${image.id}/`), []);
  });

  test('of an image that is deleted while its object is stored: 404, and nothing is left', async () => {
    const folder = (await album.folder('gone later')).id;
    const form = { folder_id: folder, image_data: filePart(heic) };
    const { result: image } = await album.call<Image>('POST', '/images', { form });
    const put = store.put.bind(store);
    store.put = async (objects) => {
      const path = `/api/v1/users/${album.id}/folders/${folder}`;
      await client.delete(path, { as: ['User', album.token] });
      await put(objects);
    };
    const answer = await fetch(urlOf(image)).finally(() => (store.put = put));
    assert.deepEqual(await problemOf(answer), [404, 'not_found']);
    await assertAccounts(service);
    await reclaimOnce({ dataSource: db, store });
    const { platformId, id } = album;
    assert.deepEqual(await listed(store, `${platformId}/${id}/${image.id}/`), []);
  });

  test('from an original that is damaged or gone is an error in the envelope, until it is back', async () => {
    const image = await upload(heic);
    const path = join(home.store, objectKey(versionOf(image), 'original', 'heic'));
    await rm(path);
    assert.deepEqual(await problemOf(await fetch(urlOf(image))), [404, 'not_found']);
    await writeFile(path, heic.subarray(0, 5000));
    assert.deepEqual(await problemOf(await fetch(urlOf(image))), [400, 'corrupt_image']);
    await writeFile(path, heic);
    assert.equal((await fetch(urlOf(image))).status, 200);
  });
});

test('its object is verified, and deleted with its version', async () => {
  const own = await service.user();
  const folder = (await own.folder('verified')).id;
  const form = { folder_id: folder, image_data: filePart(heic) };
  const { result: image } = await own.call<Image>('POST', '/images', { form });
  await bytesOf(urlOf(image));
  assert.deepEqual(findingsOf(own, await check(service)), []);
  const key = objectKey(versionOf(image, own), 'full', 'jpg');
  await rm(join(home.store, key));
  assert.deepEqual(findingsOf(own, await check(service)), [['object_missing', key]]);
  await writeFile(join(home.store, key), 'found again');
  const path = `/api/v1/users/${own.id}/folders/${folder}`;
  await client.delete(path, { as: ['User', own.token] });
  await reclaimOnce({ dataSource: db, store });
  assert.deepEqual(await listed(store, `${own.platformId}/${own.id}/`), []);
});
