import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { quarantineDay, quarantineKey } from '../../src/store/object-key.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import { hosted } from '../../testkit/hosted-command.js';
import { testDatabase } from '../../testkit/database.js';
import { withinOneDay } from '../../testkit/one-day.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { bytesOf, listed } from '../../testkit/store/harness.js';
import { allBytes, check, findingsOf, keysOf } from './checking.js';

await withinOneDay();
const scope = lastFirst({ after });
const bucketConfig = newBucketConfig();
scope.after(() => removeBucket(bucketConfig));
const { url } = await testDatabase(scope);
const settings = { ...s3Settings(bucketConfig), 'database.url': url };
const service = await ownService(scope, settings);
const { store } = service.service;
const album = await service.user();
const { endpoints, name } = openBucket(bucketConfig);

/** Puts an object directly into the bucket. */
const put = (key: string, bytes: Buffer | string): Promise<unknown> =>
  endpoints.call((client) => client.putObject(name, key, Buffer.from(bytes)));
const kept = (key: string): string => quarantineKey({ day: quarantineDay(new Date()), key });

const environment = Object.fromEntries(
  Object.entries(settings).map(([key, value]) => [
    `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`,
    value,
  ]),
);
const imgstore = (...args: string[]) =>
  hosted([...args, '--home', service.home.dir, '--json'], { env: environment });

/** The files of a backup in the same bucket. */
let backup: string[] = [];

describe('verify of a store in S3', () => {
  test('finds missing, truncated, and changed objects', async () => {
    const images = [await album.upload(), await album.upload(), await album.upload()];
    const keys = await Promise.all(images.map(({ id }) => keysOf(service, id)));
    assert.equal((await check(service, { reading: allBytes })).ok, true);
    const [missing = '', cut = '', changed = ''] = keys.map(([original]) => original ?? '');
    const bytes = await Promise.all([missing, cut, changed].map((key) => bytesOf(store, key)));
    const flipped = Buffer.from(bytes[2] ?? '');
    flipped[200] = (flipped[200] ?? 0) ^ 1;
    await endpoints.call((client) => client.removeObject(name, missing));
    await put(cut, (bytes[1] ?? Buffer.alloc(0)).subarray(0, -1));
    await put(changed, flipped);
    const verified = await check(service, { reading: allBytes });
    assert.deepEqual(
      findingsOf(album, verified),
      [
        ['object_damaged', changed],
        ['object_missing', missing],
        ['object_size', cut],
      ].sort(),
    );
    for (const [i, key] of [missing, cut, changed].entries()) await put(key, bytes[i] ?? '');
    assert.equal((await check(service, { reading: allBytes })).ok, true);
  });

  test('moves orphans, and completes moves that were killed between copy and delete', async () => {
    const strays = ['photos of another program/a b.jpg', 'other/1.jpg', 'other/2.jpg'];
    for (const key of strays) await put(key, `bytes of ${key}`);
    // As a killed run leaves it: copied but not yet deleted.
    await put(kept('other/1.jpg'), 'bytes of other/1.jpg');
    // A foreign object under the key that this one would get.
    await put('other/3.jpg', 'one');
    await put(kept('other/3.jpg'), 'another');
    const repaired = await check(service, { repair: true });
    assert.deepEqual(repaired.differences.map(({ kind, key }) => [kind, key]).sort(), [
      ['object_orphan', 'other/3.jpg'],
      ['object_orphan', 'photos of another program/a b.jpg'],
    ]);
    assert.equal(repaired.quarantined.objects, 2);
    assert.deepEqual(await listed(store, 'other/'), ['other/3.jpg']);
    for (const key of ['other/1.jpg', 'other/2.jpg']) {
      assert.equal(String(await bytesOf(store, kept(key))), `bytes of ${key}`);
    }
    await reclaimOnce({ dataSource: service.db, store });
    assert.equal((await listed(store, 'quarantine/')).length, 3);

    const gone = await imgstore('quarantine', 'restore', 'other/2.jpg');
    assert.equal(gone.code, 0, gone.stdout);
    assert.equal(String(await bytesOf(store, 'other/2.jpg')), 'bytes of other/2.jpg');
    for (const key of [...strays, 'other/3.jpg']) {
      await endpoints.call((client) => client.removeObject(name, key));
    }
    const purged = await imgstore('quarantine', 'purge', '--older-than', '1s', '--yes');
    assert.deepEqual(purged.json<{ objects: number }>().objects, 2);
    assert.deepEqual(await listed(store, 'quarantine/'), []);
    assert.equal((await check(service)).ok, true);
  });

  test('leaves backups in the same bucket alone', async () => {
    const { endpoints: servers, accessKey, secretKey, bucket } = bucketConfig;
    const env = {
      ...environment,
      IMGSTORE_BACKUP_S3_ENDPOINT: servers.join(','),
      IMGSTORE_BACKUP_S3_ACCESS_KEY: accessKey,
      IMGSTORE_BACKUP_S3_SECRET_KEY: secretKey,
    };
    const words = ['backup', `s3://${bucket}/objects/main`, '--home', service.home.dir, '--json'];
    const { code, stdout } = await hosted(words, { env });
    assert.equal(code, 0, stdout);
    backup = (await listed(store, 'objects/main/')).sort();
    assert.ok(backup.some((key) => key.startsWith('objects/main/objects/')));
    await put('objects/other.jpg', 'no backup');
    const repaired = await check(service, { repair: true });
    assert.deepEqual([repaired.differences, repaired.quarantined.objects], [[], 1]);
    assert.deepEqual((await listed(store, 'objects/main/')).sort(), backup);
    await endpoints.call((client) => client.removeObject(name, kept('objects/other.jpg')));
  });

  test('a move to another store includes the quarantine', async () => {
    await put('lost.jpg', 'not yet found');
    assert.equal((await check(service, { repair: true })).quarantined.objects, 1);
    const done = async (...args: string[]): Promise<void> => {
      const { code, stdout } = await imgstore(...args);
      assert.equal(code, 0, stdout);
    };
    await done('store', 'migrate', '--to', 'local');
    await done('store', 'clear', '--from', 's3', '--yes');
    const signer = { sign: () => '', signIn: () => () => '' };
    const bucket = new S3Store({ bucket: openBucket(bucketConfig), instanceId: '', signer });
    assert.deepEqual(
      (await listed(bucket, '')).sort(),
      backup,
      'of the bucket, only the backup is left',
    );
    await done('quarantine', 'restore', quarantineDay(new Date()));
    await store.stat('lost.jpg'); // notices the move
    assert.equal(String(await bytesOf(store, 'lost.jpg')), 'not yet found');
    assert.equal((await imgstore('verify')).code, 0, 'too young to judge');
  });
});
