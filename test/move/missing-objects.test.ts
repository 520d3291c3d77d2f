import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { row } from '../../src/database/sql.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { eventually } from '../../testkit/eventually.js';
import { start } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { testDatabase } from '../../testkit/database.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { ownService } from '../../testkit/service.js';
import { lastFirst } from '../../testkit/scope.js';

// Hooks run in reverse order.
const scope = lastFirst({ after });

const bucketConfig = newBucketConfig();
scope.after(() => removeBucket(bucketConfig));
const { url } = await testDatabase(scope);
const settings = { ...s3Settings(bucketConfig), 'database.url': url };
const service = await ownService(scope, { ...settings, 'database.statement_timeout': '120s' });
const album = await service.user();
const env = Object.fromEntries(
  Object.entries(settings).map(([key, value]) => [
    `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`,
    value,
  ]),
);
const at = ['--home', service.home.dir, '--json'];

const imgstoreDocument = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, json } = await hosted([...args, ...at], { env });
  assert.equal(code, 0, stdout);
  return json<T>();
};

/** The object of the only upload in progress, once it is stored. */
const storedKey = async (): Promise<string | undefined> => {
  const sql = `SELECT key FROM object_reclaim WHERE key LIKE '%/original.%' AND not_before > now()`;
  const key = (await row<{ key: string }>(service.db, sql))?.key;
  return key !== undefined && (await service.service.store.stat(key)) ? key : undefined;
};

/** Finds the session of a move that waits for uploads in progress. */
const waiting = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%FROM object_reclaim%attempts = 0%'
    AND pid <> pg_backend_pid()`;

test('a move waits for an upload that stalled before it began', async () => {
  // While another session holds the user's lock, an upload whose objects are stored waits.
  const lock = service.db.createQueryRunner();
  await lock.startTransaction();
  await lock.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [album.id]);
  const uploading = album.upload();
  await eventually('the objects are in S3', async () => (await storedKey()) !== undefined);

  const migrating = start(['store', 'migrate', '--to', 'local', ...at], { env });
  const ended = once(migrating, 'exit');
  const output = Promise.all([text(migrating.stdout), text(migrating.stderr)]);
  const waits = async () => (await row(service.db, waiting)) !== undefined;
  await eventually('the move waits', async () => {
    if (migrating.exitCode !== null) assert.fail(`it did not wait: ${(await output).join('')}`);
    return waits();
  });
  await lock.commitTransaction();
  await lock.release();
  const { id } = await uploading;
  await ended;
  assert.equal(migrating.exitCode, 0, (await output).join(''));
  await imgstoreDocument('store', 'clear', '--from', 's3', '--yes');
  const { org_path_url } = await album.image(id);
  assert.equal((await fetch(org_path_url)).status, 200);
  await imgstoreDocument('verify', 'accounts');
});

test('objects that a move missed are copied by a repeated move, and before the old store is cleared', async () => {
  const [one, other] = [await album.upload(), await album.upload()];
  await imgstoreDocument('store', 'migrate', '--to', 's3');
  const { endpoints, name } = openBucket(bucketConfig);
  const lose = (imageId: string) =>
    endpoints.call((client) => {
      const { platformId, id } = album;
      const key = `${platformId}/${id}/${imageId}/${imageId}/original.jpg`;
      return client.removeObject(name, key);
    });
  await lose(one.id);
  const repeated = await imgstoreDocument<{ objects_copied: number; objects_missing: string[] }>(
    'store',
    'migrate',
    '--to',
    's3',
  );
  assert.deepEqual([repeated.objects_copied, repeated.objects_missing], [1, []]);
  await lose(other.id);
  await imgstoreDocument('store', 'clear', '--from', 'local', '--yes');
  for (const { id } of [one, other]) {
    assert.equal((await fetch((await album.image(id)).org_path_url)).status, 200);
  }
  await imgstoreDocument('verify', 'accounts');
});

test('a move that finds objects in neither store ends with exit code 3 and lists them', async () => {
  const lost = await album.upload();
  const { platformId, id } = album;
  const key = `${platformId}/${id}/${lost.id}/${lost.id}/original.jpg`;
  await service.service.store.delete([key]);
  const { code, json } = await hosted(['store', 'migrate', '--to', 'local', ...at], { env });
  assert.deepEqual([code, json<{ objects_missing: string[] }>().objects_missing], [3, [key]]);
});
