import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ServiceError } from '../../src/base/errors/catalogue.js';
import { rows, value } from '../../src/database/sql.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { done } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { metadataOf, TusClient, type TusAnswer } from '../../testkit/tus.js';

const service = await ownService({ after }, { 'uploads.max_open_per_user': '12' });
const { client, db } = service;
const pictures = await Promise.all([71, 72].map((width) => jpeg({ width, height: 48 })));
const [one, two] = pictures as [Buffer, Buffer];

const type = { 'content-type': 'application/offset+octet-stream' };

async function asked(more: object = {}) {
  const album = await service.user();
  const folder = (await album.folder('접수')).id;
  const links = new Linker(client, album);
  const link = await links.create({ kind: 'request', folder_id: folder, ...more });
  const received = async (): Promise<readonly Image[]> =>
    done(await album.call<{ items: Image[] }>('GET', '/images')).items;
  const visitor = new Visitor(client, link.at);
  return { album, folder, links, link, received, visitor, tus: tusOf(link.at) };
}

const tusOf = (at: string): TusClient => TusClient.ofLink(client.base, at);

/** A whole upload in two requests. @returns the answers to all requests. */
async function send(tus: TusClient, bytes: Buffer, metadata: Record<string, string> = {}) {
  const begun = await tus.create(bytes.length, metadata);
  assert.equal(begun.status, 201, begun.code);
  const at = new URL(String(begun.headers.location)).pathname;
  const half = Math.floor(bytes.length / 2);
  const first = await tus.patch(at, 0, bytes.subarray(0, half));
  const head = await tus.head(at);
  assert.equal(head.headers['upload-offset'], String(half));
  const last = await tus.patch(at, half, bytes.subarray(half));
  return { at, last, answers: [begun, first, head, last, await tus.head(at)] };
}

const imageOf = ({ headers }: TusAnswer): string => String(headers['upload-image-id']);

describe('an upload through a link that asks for pictures', () => {
  test('goes on where it broke off, into the folder of the link, and tells no id', async () => {
    const { tus, album, folder, received, visitor, link } = await asked();
    const metadata = {
      filename: '계기판.jpg',
      folder_id: ' ',
      upload_type: 'camera',
      latitude: '1',
      longitude: '1',
      image_id: 'x',
    };
    const { at, last, answers } = await send(tus, one, metadata);
    assert.ok(at.startsWith(`${link.at}/uploads/`));
    const [image] = await received();
    assert.deepEqual(
      [image?.folder_id, image?.hashdata, image?.original_name, image?.lat],
      [folder, sha256(one), '계기판.jpg', null],
    );
    const kind = await value(db, 'SELECT upload_type FROM images WHERE id = $1', [image?.id]);
    assert.equal(kind, 'request');
    assert.equal(answers[2]?.headers['upload-metadata'], metadataOf(metadata));
    const receipt = imageOf(last);
    const query = { ids: receipt };
    const told = done(await visitor.call<{ arrived: string[] }>('GET', '/arrived', { query }));
    assert.deepEqual(told.arrived, [receipt]);
    assert.equal(done(await visitor.send(one)).id, receipt, 'the form knows it');
    const ids = await rows<{ id: string }>(db, 'SELECT id FROM resumable_uploads');
    const secrets = [album.id, image?.id ?? '', folder, link.id, ...ids.map(({ id }) => id)];
    const text = JSON.stringify(answers);
    for (const id of secrets) assert.ok(!text.includes(id), id);
    await assertAccounts(service);
  });

  test('stores the same file once for a link, also of two that end at once', async () => {
    const { tus, links, folder, received, visitor } = await asked();
    done(await visitor.send(one));
    const [again, other] = [await send(tus, one), await send(tus, one)];
    assert.equal(imageOf(again.last), imageOf(other.last));
    assert.equal((await received()).length, 1);
    const begun = await Promise.all([1, 2, 3].map(() => tus.begin(two.length)));
    const ended = await Promise.all(begun.map((upload) => tus.patch(upload, 0, two)));
    assert.equal(new Set(ended.map(imageOf)).size, 1);
    assert.equal((await received()).length, 2);
    const { at } = await links.create({ kind: 'request', folder_id: folder });
    await send(tusOf(at), two);
    assert.equal((await received()).length, 3, 'of another link, it is another picture');
    const announced = await value(db, 'SELECT sum(announced_bytes)::int FROM users');
    assert.equal(announced, 0);
    await assertAccounts(service);
  });

  test('tells who sends it, if that is a name', async () => {
    const { tus, album, received, links, link } = await asked();
    await send(tus, one, { sender: '현장 소장' });
    const [image] = await received();
    const customs = JSON.stringify(done(await album.call('GET', `/images/${image?.id}/customs`)));
    assert.ok(customs.includes('"sender"') && customs.includes('현장 소장'), customs);
    assert.equal((await links.read(link.id)).arrivals, 1);
    const refusal = await tus.create(one.length, { sender: 'x'.repeat(101) });
    assert.deepEqual([refusal.status, refusal.field], [400, 'sender']);
  });

  test('of another link, or of the owner, is unknown', async () => {
    const { tus, links, folder, album } = await asked();
    const { at } = await links.create({ kind: 'request', folder_id: folder });
    const foreign = (await tusOf(at).begin(one.length)).split('/').at(-1);
    const own = await new TusClient(client.base, album).begin(one.length);
    for (const id of [foreign, own.split('/').at(-1), '0'.repeat(32), 'x']) {
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const answer = await tus.send(method, `/${id}`, { 'upload-offset': '0', ...type });
        assert.equal(answer.status, 404, method);
        if (method !== 'HEAD') assert.equal(answer.code, 'upload_not_found');
      }
    }
    assert.equal(await tusOf(at).offset(`/${foreign}`), 0);
  });

  test('ends with the link at the next request, and goes on when it is open again', async () => {
    const { tus, links, link } = await asked();
    const upload = await tus.begin(one.length);
    assert.equal((await tus.patch(upload, 0, one.subarray(0, 100))).status, 204);
    const answers = async () => {
      const body = one.subarray(100);
      return [
        await tus.create(one.length),
        await tus.head(upload),
        await tus.patch(upload, 100, body),
        await tus.send('DELETE', upload),
      ].map(({ status }) => status);
    };
    await links.update(link.id, { state: 'paused' });
    assert.deepEqual(await answers(), [410, 410, 410, 410]);
    await links.update(link.id, { state: 'active' });
    assert.equal(await tus.offset(upload), 100);
    await db.query(`UPDATE links SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      link.id,
    ]);
    assert.deepEqual(await answers(), [410, 410, 410, 410]);
    await links.end(link.id);
    assert.deepEqual(await answers(), [410, 410, 410, 410]);
    const never = await tusOf(`/s/${'A'.repeat(22)}`).create(one.length);
    assert.deepEqual([never.status, never.code], [404, 'not_found']);
  });

  test('needs the password, and a link that asks for pictures', async () => {
    const { tus, links, folder } = await asked({ password: 'x' });
    const closed = await tus.create(one.length);
    assert.deepEqual([closed.status, closed.code], [403, 'password_required']);
    const { at } = await links.create({ kind: 'view', folder_id: folder });
    const view = await tusOf(at).create(one.length);
    assert.deepEqual([view.status, view.code], [404, 'not_found']);
  });

  test('is refused at once for what is known at once, and at the end for the rest', async () => {
    const { tus, album } = await asked();
    const big = await tus.create(51 * 2 ** 20);
    assert.deepEqual([big.status, big.code], [413, 'upload_too_large']);
    for (const [headers, status, code] of [
      [{ 'tus-resumable': '0.2.2' }, 412, 'unsupported_version'],
      [{ 'upload-length': '0' }, 400, 'invalid_field'],
      [{ 'upload-metadata': 'filename %' }, 400, 'invalid_field'],
      [{ 'upload-metadata': 'imgstore-link eA==' }, 400, 'invalid_field'],
      [{ 'upload-metadata': metadataOf({ image_hash: 'x' }) }, 400, 'invalid_field'],
    ] as const) {
      const answer = await tus.create(one.length, {}, headers);
      assert.deepEqual([answer.status, answer.code], [status, code]);
    }
    // The link that a user claims is none of a visitor.
    const metadata = `imgstore-link ${Buffer.from('x').toString('base64')}`;
    const claimed = await new TusClient(client.base, album).create(
      one.length,
      {},
      {
        'upload-metadata': metadata,
      },
    );
    assert.deepEqual([claimed.status, claimed.code], [400, 'invalid_field']);

    const text = Buffer.from('no picture at all');
    const { last, answers } = await send(tus, text);
    assert.deepEqual([last.status, last.code], [400, 'unsupported_image']);
    assert.equal(answers.at(-1)?.headers['upload-offset'], String(text.length - 1));
    const { last: wrong } = await send(tus, one, { image_hash: sha256(two) });
    assert.deepEqual([wrong.status, wrong.code], [400, 'hash_mismatch']);
    await assertAccounts(service);
  });

  test('counts against the quota of the owner, of whose open uploads links have a share', async () => {
    const { tus, album } = await asked();
    const [first] = [await tus.begin(100), await tus.begin(100), await tus.begin(100)];
    const fourth = await tus.create(100);
    assert.deepEqual([fourth.status, fourth.code], [400, 'too_many_open_uploads']);
    await new TusClient(client.base, album).begin(100);
    assert.equal((await tus.send('DELETE', first)).status, 204);
    assert.equal((await tus.head(first)).status, 410);
    const as = ['User', album.token] as const;
    const json = { max_storage_mb: 0.001 };
    done(await client.put(`/api/v1/users/${album.id}`, { as, json }));
    assert.equal((await tus.create(2_000)).code, 'storage_quota_exceeded');
    assert.equal((await tus.create(100)).status, 201);
    await assertAccounts(service);
  });

  test('with a key is found again, by visitors of this link alone', async () => {
    const { tus, links, folder, album } = await asked();
    const key = { 'idempotency-key': 'mine' };
    const begun = await tus.create(one.length, { filename: 'a.jpg' }, key);
    const at = new URL(String(begun.headers.location)).pathname;
    await tus.patch(at, 0, one.subarray(0, 10));
    const again = await tus.create(one.length, { filename: 'a.jpg' }, key);
    assert.equal(again.headers.location, begun.headers.location);
    assert.equal(again.headers['upload-offset'], '10');
    const other = await tus.create(one.length, { filename: 'b.jpg' }, key);
    assert.equal(other.code, 'idempotency_key_reused');
    const { at: second } = await links.create({ kind: 'request', folder_id: folder });
    for (const elsewhere of [tusOf(second), new TusClient(client.base, album)]) {
      const answer = await elsewhere.create(one.length, { filename: 'a.jpg' }, key);
      assert.deepEqual([answer.status, answer.headers['upload-offset']], [201, '0']);
    }
  });

  test('is stored by the next request when imaging failed with the last byte', async () => {
    const { tus, received } = await asked();
    const upload = await tus.begin(one.length);
    const { imaging } = service.service;
    const process = imaging.process.bind(imaging);
    imaging.process = () => Promise.reject(new ServiceError('unavailable'));
    const broken = await tus.patch(upload, 0, one);
    imaging.process = process;
    assert.equal(broken.status, 503);
    assert.match(imageOf(await tus.head(upload)), /^[\da-f]{32}$/);
    assert.equal((await received()).length, 1);
  });
});
