import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { queueKeys, reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { longOnly } from '../../testkit/long-form.js';
import { newKey } from '../../testkit/store/harness.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { ownService } from '../../testkit/service.js';

const bucketConfig = newBucketConfig();
after(() => removeBucket(bucketConfig));
const { db, service } = await ownService({ after }, s3Settings(bucketConfig));
const { endpoints, name } = openBucket(bucketConfig);

/** Leaves an unfinished multipart upload, like a process killed while sending a large file. */
const breakOff = (key: string): Promise<string> =>
  endpoints.call((client) => client.initiateNewMultipartUpload(name, key, {}));

const unfinished = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of service.store.unfinished()) keys.push(key);
  return keys.sort();
};

const verified = async () => {
  const parts = { db, store: service.store, report: () => undefined };
  return (await verifyStatistics(parts)).differences.map(({ kind, subject }) => [kind, subject]);
};

test('reclaim aborts unfinished uploads, and verify accounts reports the others', async () => {
  const [listed, forgotten] = [newKey(), newKey()].sort() as [string, string];
  await queueKeys(db, [listed]);
  await breakOff(listed);
  await breakOff(listed);
  await breakOff(forgotten);
  assert.deepEqual(await unfinished(), [listed, listed, forgotten]);
  assert.deepEqual(await verified(), [['upload_unfinished', forgotten]]);

  await rows(db, 'UPDATE object_reclaim SET not_before = now()');
  await reclaimOnce({ dataSource: db, store: service.store });
  assert.deepEqual(await unfinished(), [forgotten]);
  await service.store.delete([forgotten]);
  assert.deepEqual(await unfinished(), []);
  assert.deepEqual(await verified(), []);
});

test('a thousand other unfinished uploads do not hide one', longOnly, async () => {
  const prefix = randomUUID();
  const keys = Array.from({ length: 1_005 }, (_, i) => `${prefix}/${String(i).padStart(4, '0')}`);
  for (let i = 0; i < keys.length; i += 15) await Promise.all(keys.slice(i, i + 15).map(breakOff));
  const last = keys.at(-1) ?? '';
  await service.store.delete([last, newKey()]);
  const left = await unfinished();
  const twice = left.filter((key, i) => left.indexOf(key) !== i);
  const lacking = keys.slice(0, -1).filter((key) => !left.includes(key));
  assert.deepEqual([twice, lacking, left.includes(last)], [[], [], false]);
  for (let i = 0; i < keys.length; i += 900) await service.store.delete(keys.slice(i, i + 900));
  assert.deepEqual(await unfinished(), []);
});
