import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Upload, type DetailedError } from 'tus-js-client';
import type { Home } from '../../src/base/config/home.js';
import { onlyValue, rows } from '../../src/database/sql.js';
import { KeyLocks } from '../../src/http/idempotency/key-locks.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { lockName } from '../../src/library/resumable/turns.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { eventually } from '../../testkit/eventually.js';
import { sha256 } from '../../testkit/fetch.js';
import { noise } from '../../testkit/pictures.js';
import { Relay } from '../../testkit/relay.js';
import { behindGateway, s3Error } from '../../testkit/s3-gateway.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { ownService } from '../../testkit/service.js';
import { listed } from '../../testkit/store/harness.js';
import { TusClient } from '../../testkit/tus.js';
import type { Member } from '../../testkit/world.js';

const bucketConfig = newBucketConfig();
after(() => removeBucket(bucketConfig));

/** Whether the gateway refuses to store pieces, how many it has refused, and whether it lies about one. */
const broken = { puts: false, refused: 0, lies: false };
const gateway = await behindGateway({ after }, bucketConfig, {
  answer: (_answer, { method, url }) => {
    if (!broken.lies || method !== 'PUT' || !url.includes('piece.bin')) return undefined;
    broken.lies = false;
    return s3Error(500, 'InternalError');
  },
  request: ({ method, url }) => {
    if (!broken.puts || method !== 'PUT' || !url.includes('piece.bin')) return undefined;
    broken.refused += 1;
    return s3Error(503, 'ServiceUnavailable');
  },
});
const service = await ownService({ after }, s3Settings(gateway));
const second = await service.secondNode();
const { db } = service;
const { store } = service.service;

/** Large enough for several connections; noise does not compress. */
const bytes = await noise(600);

/** Uploads with the official client. @returns its address. */
const uploadWith = (
  base: string,
  user: Member,
  file: Buffer,
  options: Partial<ConstructorParameters<typeof Upload>[1]> = {},
): Promise<{ url: string; imageId: string | undefined; sent: number }> =>
  new Promise((resolve, reject) => {
    let imageId: string | undefined;
    let sent = 0;
    const upload = new Upload(file, {
      endpoint: `${base}/api/v1/users/${user.id}/uploads`,
      headers: { Authorization: `User ${user.token}` },
      metadata: { filename: 'photo.jpg', building_name: 'by tus-js-client' },
      retryDelays: Array.from({ length: 20 }, () => 20),
      onAfterResponse: (_request, response) => {
        imageId = response.getHeader('Upload-Image-Id') ?? imageId;
      },
      onChunkComplete: (size) => (sent += size),
      onError: reject,
      onSuccess: () => resolve({ url: upload.url ?? '', imageId, sent }),
      ...options,
    });
    upload.start();
  });

const hashOf = async (imageId: string | undefined): Promise<string> =>
  onlyValue(db, `SELECT encode(hash, 'hex') FROM images WHERE id = $1`, [imageId]);

const imagesOf = (user: Member): Promise<number> =>
  onlyValue(db, 'SELECT count(*)::int FROM images WHERE user_id = $1', [user.id]);

const locks = new KeyLocks(db);
after(() => locks.close());

/** Waits until a request writes to the upload. */
const untilHeld = (upload: string): Promise<void> =>
  eventually('a request writes to it', async () => {
    const release = await locks.tryLock(lockName(upload.split('/').at(-1) ?? ''));
    await release?.();
    return release === undefined;
  });

/** Bytes of the only upload that a node is receiving. */
async function arrived({ incoming }: Home): Promise<number> {
  const [file] = (await readdir(incoming, { recursive: true })).filter((name) =>
    name.endsWith('original'),
  );
  return file === undefined ? 0 : (await stat(join(incoming, file))).size;
}

const piecesIn = async (user: Member): Promise<string[]> =>
  (await listed(store, `${user.platformId}/${user.id}/`)).filter((key) =>
    key.endsWith('piece.bin'),
  );

describe('tus-js-client', () => {
  test('uploads as it is, with its creation, and in chunks', async () => {
    for (const options of [{}, { uploadDataDuringCreation: true }, { chunkSize: 100_000 }]) {
      const user = await service.user();
      const { imageId } = await uploadWith(service.client.base, user, bytes, options);
      assert.equal(await hashOf(imageId), sha256(bytes));
      assert.equal(await imagesOf(user), 1);
    }
  });

  test('over connections that break sends little twice', async () => {
    const user = await service.user();
    const perConnection = Math.ceil(bytes.length / 5);
    const relay = await Relay.to(service.client.base, () => perConnection);
    after(() => relay.cut());
    const { imageId } = await uploadWith(relay.url, user, bytes);
    assert.equal(await hashOf(imageId), sha256(bytes));
    assert.equal(await imagesOf(user), 1);
    assert.ok(relay.cuts >= 4, `${relay.cuts} broke`);
    // What the server has not read when a connection breaks is sent again: little, unless the machine is
    // busy. Without resuming, a file five times as long as a connection lasts would never arrive.
    const carried = relay.cuts * perConnection;
    assert.ok(carried <= bytes.length * 2, `${carried} of ${bytes.length}`);
  });

  test('ends with the reason if the file is refused, and sends it once', async () => {
    const user = await service.user();
    const file = Buffer.alloc(300_000, 'no picture');
    let requests = 0;
    const failed = uploadWith(service.client.base, user, file, {
      onBeforeRequest: () => void (requests += 1),
    });
    const error = await failed.then(
      () => undefined,
      (reason: DetailedError) => reason,
    );
    assert.equal(error?.originalResponse?.getStatus(), 400);
    assert.match(error?.originalResponse?.getBody() ?? '', /unsupported_image/);
    assert.equal(requests, 2);
  });

  test('ends with the reason even if it missed the first answer', async () => {
    const user = await service.user();
    const tus = new TusClient(service.client.base, user);
    const file = Buffer.alloc(300_000, 'no picture');
    const path = await tus.begin(file.length);
    await tus.patch(path, 0, file);
    const failed = uploadWith(service.client.base, user, file, {
      uploadUrl: service.client.base + path,
      onChunkComplete: () => undefined,
    });
    const error = await failed.then(
      () => undefined,
      (reason: DetailedError) => reason,
    );
    assert.match(error?.originalResponse?.getBody() ?? '', /unsupported_image/);
    assert.equal(await imagesOf(user), 0);
  });
});

describe('an upload whose pieces are in S3', () => {
  test('goes on at another node, which stores it', async () => {
    const user = await service.user();
    const here = new TusClient(service.client.base, user);
    const there = here.at(second.base);
    const upload = await here.begin(bytes.length);
    const half = Math.floor(bytes.length / 2);
    await here.patch(upload, 0, bytes.subarray(0, 1_000));
    await there.patch(upload, 1_000, bytes.subarray(1_000, half));
    assert.equal(await here.offset(upload), half);
    assert.equal((await piecesIn(user)).length, 2);
    assert.equal((await verifyStatistics({ db, store, report: () => undefined })).ok, true);
    const last = await here.patch(upload, half, bytes.subarray(half));
    assert.equal(await hashOf(String(last.headers['upload-image-id'])), sha256(bytes));
    const head = await there.head(upload);
    assert.equal(head.headers['upload-image-id'], last.headers['upload-image-id']);
    await rows(db, 'UPDATE object_reclaim SET not_before = now()');
    await reclaimOnce({ dataSource: db, store });
    assert.deepEqual(await piecesIn(user), []);
  });

  test('a silent request on one node gives way to one on another', async () => {
    const user = await service.user();
    const here = new TusClient(service.client.base, user);
    const upload = await here.begin(bytes.length);
    const silent = here.openPatch(upload, 0, bytes.length);
    silent.request.write(bytes.subarray(0, 5_000));
    await untilHeld(upload);
    // It ends by itself after ten seconds.
    assert.equal(await here.at(second.base).offset(upload), 5_000);
    assert.equal((await silent.answer).headers['upload-offset'], '5000');
    silent.request.destroy();
  });

  test('is told no offset that S3 did not store', async () => {
    const user = await service.user();
    const tus = new TusClient(service.client.base, user);
    const upload = await tus.begin(bytes.length);
    await tus.patch(upload, 0, bytes.subarray(0, 100));
    broken.puts = true;
    const failed = await tus.patch(upload, 100, bytes.subarray(100, 200));
    broken.puts = false;
    assert.deepEqual([failed.status, failed.code], [503, 'unavailable']);
    assert.ok(broken.refused > 0);
    assert.equal(await tus.offset(upload), 100);
    // A request that brings the rest stores no piece, and so needs none.
    broken.puts = true;
    const last = await tus.patch(upload, 100, bytes.subarray(100));
    broken.puts = false;
    assert.equal(await hashOf(String(last.headers['upload-image-id'])), sha256(bytes));
  });

  test('loses nothing while S3 is away for a moment', async () => {
    const user = await service.user();
    const tus = new TusClient(service.client.base, user);
    const file = randomBytes(12 * 2 ** 20);
    const upload = await tus.begin(file.length);
    const refused = () => eventually('S3 refuses a piece', () => broken.refused > 0);
    Object.assign(broken, { puts: true, refused: 0 });
    const open = tus.openPatch(upload, 0, file.length);
    open.request.write(file.subarray(0, 9 * 2 ** 20));
    await refused();
    broken.puts = false;
    open.request.write(file.subarray(9 * 2 ** 20, 10 * 2 ** 20));
    await eventually('a later one is stored', async () => (await piecesIn(user)).length > 0);
    Object.assign(broken, { puts: true, refused: 0 });
    await new Promise((resolve) => open.request.write(file.subarray(10 * 2 ** 20, -1), resolve));
    open.request.destroy();
    await refused();
    broken.puts = false;
    assert.equal(await tus.offset(upload), file.length - 1);
  });

  test('is not confused by an error for a piece that S3 has stored', async () => {
    const user = await service.user();
    const tus = new TusClient(service.client.base, user);
    const upload = await tus.begin(bytes.length);
    broken.lies = true;
    const first = await tus.patch(upload, 0, bytes.subarray(0, 5_000));
    assert.deepEqual([broken.lies, first.status, await tus.offset(upload)], [false, 204, 5_000]);
    const last = await tus.patch(upload, 5_000, bytes.subarray(5_000));
    assert.equal(await hashOf(String(last.headers['upload-image-id'])), sha256(bytes));
  });

  test('of a node that stops is saved by it', async () => {
    const user = await service.user();
    const node = await service.node();
    const there = new TusClient(node.url, user);
    const upload = await there.begin(bytes.length);
    const open = there.openPatch(upload, 0, bytes.length);
    // So many are written to its file in one call, once the last of them has arrived.
    const sent = 512 * 1024;
    open.request.write(bytes.subarray(0, sent));
    await eventually('they have arrived', async () => (await arrived(node.home)) === sent);
    open.request.destroy();
    await node.stop();
    assert.equal(await there.at(service.client.base).offset(upload), sent);
  });
});
