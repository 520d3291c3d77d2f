import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { rows } from '../../src/database/sql.js';
import { Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { ownService } from '../../testkit/service.js';
import { listed } from '../../testkit/store/harness.js';

const bucketConfig = newBucketConfig();
after(() => removeBucket(bucketConfig));
const direct = await ownService({ after }, s3Settings(bucketConfig));
const album = await direct.user();
const [endpoint = ''] = bucketConfig.endpoints;

const today = ({ created_at }: Image): string => created_at.slice(0, 8);

const verified = () =>
  verifyStatistics({ db: direct.db, store: direct.service.store, report: () => undefined });

describe('a service whose objects are in S3', () => {
  test('sends visitors of links files itself, whose addresses hide where they are', async () => {
    const folder = (await album.folder('현장')).id;
    const image = await album.upload({ folder_id: folder });
    const wanted = {
      kind: 'view',
      folder_id: folder,
      allow_download: true,
      show_place: true,
    } as const;
    const { at } = await new Linker(direct.client, album).create(wanted);
    const visitor = new Visitor(direct.client, at);
    const [picture] = done(await visitor.images()).images;
    const answer = await visitor.raw('GET', `/${picture?.download_url}`);
    const said = JSON.stringify([...answer.headers]);
    for (const id of [album.id, image.id, bucketConfig.bucket]) assert.ok(!said.includes(id));
    const original = await (await fetch(image.org_path_url)).arrayBuffer();
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(original));
    const part = { headers: { range: 'bytes=2-5' } };
    const some = await visitor.raw('GET', `/${picture?.download_url}`, part);
    assert.deepEqual(Buffer.from(await some.arrayBuffer()), Buffer.from(original.slice(2, 6)));
  });

  test('returns URLs of the S3 server, which responds with type and caching headers', async () => {
    const bytes = await jpeg({ width: 64, height: 48 });
    const image = await album.upload({}, bytes);
    for (const signed of [image.path_url, image.org_path_url, image.thumb_url]) {
      assert.ok(signed.startsWith(`${endpoint}/${bucketConfig.bucket}/`), signed);
      const answer = await fetch(signed);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^image\/(jpeg|webp)$/);
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=3600, immutable');
      const saved =
        signed === image.thumb_url ? 'inline' : /^inline; filename="image_data\.bin\.jpg";/;
      assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(saved));
      await answer.arrayBuffer();
      const other = signed.replace('image%2F', 'text%2F');
      assert.notEqual(other, signed);
      assert.equal((await fetch(other)).status, 403, 'the type is part of what is signed');
      assert.equal((await fetch(signed.split('?')[0] ?? '')).status, 403);
    }
    const original = Buffer.from(await (await fetch(image.org_path_url)).arrayBuffer());
    assert.deepEqual(original, bytes);
    const again = await album.image(image.id);
    assert.equal(again.path_url, image.path_url, 'a browser may keep it');
  });

  test('serves the same from a second node with another disk', async () => {
    const image = await album.upload();
    const node = await direct.secondNode();
    const as = ['User', album.token] as const;
    const { result } = await node.get<typeof image>(`${album.images}/${image.id}`, { as });
    assert.equal(result.org_path_url, image.org_path_url);
    const zip = await node.raw('GET', album.images, {
      as,
      query: { view_type: 'list', download: 'true', search: image.filename, date: today(image) },
    });
    assert.equal(zip.status, 200, await zip.clone().text());
    assert.ok((await zip.arrayBuffer()).byteLength > 500);
  });

  test('keeps ledger, rows and bucket consistent; deleted images are removed from the bucket', async () => {
    const folder = (await album.folder('soon gone')).id;
    const { id } = await album.upload({ folder_id: folder });
    const report = await verified();
    assert.deepEqual(report.differences, []);
    assert.ok(report.objects >= 2);
    const as = ['User', album.token] as const;
    const gone = await direct.client.delete(`/api/v1/users/${album.id}/folders/${folder}`, {
      as,
    });
    assert.deepEqual(gone.result, { deleted_folders: [folder], deleted_images: [id] });
    await rows(direct.db, 'UPDATE object_reclaim SET not_before = now()');
    const { store } = direct.service;
    await reclaimOnce({ dataSource: direct.db, store });
    const prefix = `${album.platformId}/${album.id}/${id}/`;
    assert.deepEqual(await listed(store, prefix), []);
    assert.ok((await verified()).ok);
  });
});

describe('with s3.delivery = proxy', () => {
  test('the API serves the URLs, including ranges', async (t) => {
    const other = newBucketConfig();
    const proxied = await ownService(t, { ...s3Settings(other), 's3.delivery': 'proxy' });
    t.after(() => removeBucket(other));
    const bytes = await jpeg({ width: 64, height: 48 });
    const image = await (await proxied.user()).upload({}, bytes);
    assert.ok(image.org_path_url.startsWith(`${proxied.service.url}/files/`));
    const client = new Client(proxied.service.url);
    const whole = await client.raw('GET', image.org_path_url);
    assert.equal(whole.headers.get('content-type'), 'image/jpeg');
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
    const headers = { range: 'bytes=5-14' };
    const part = await client.raw('GET', image.org_path_url, { headers });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(5, 15));
  });
});
