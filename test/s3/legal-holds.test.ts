import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { column, rows } from '../../src/database/sql.js';
import { setLegalHolds } from '../../src/library/holds/legal-holds.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { operate } from '../../testkit/operator.js';
import {
  emptyVersions,
  newBucketConfig,
  removeBucket,
  s3Environment,
  s3Settings,
} from '../../testkit/s3.js';
import { ownService, type TestService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const locked = newBucketConfig();
const { endpoints, name } = openBucket(locked);
await endpoints.call((client) =>
  client.makeBucket(locked.bucket, locked.region, { ObjectLocking: true }),
);
after(() => emptyVersions(locked));
const service = await ownService({ after }, s3Settings(locked));
const { db } = service;

/** Whether each object of an image bears a legal hold. */
async function heldObjects(user: Member, imageId: string): Promise<Map<string, boolean>> {
  const versions = await column<string>(db, 'SELECT id FROM image_versions WHERE image_id = $1', [
    imageId,
  ]);
  const held = new Map<string, boolean>();
  for await (const { key } of service.service.store.list(`${user.tenant.id}/${user.id}/`)) {
    if (![imageId, ...versions].some((id) => key.includes(id))) continue;
    held.set(key, await isHeld(key));
  }
  return held;
}

const isHeld = (key: string): Promise<boolean> =>
  endpoints
    .call((client) => client.getObjectLegalHold(name, key))
    .then(
      // Its types are wrong.
      (answer) => (answer as unknown as { Status: string }).Status === 'ON',
      () => false, // it never had one
    );

const run = ({ db: of, service: { store } }: TestService) =>
  setLegalHolds(of, store, new AbortController().signal);

/** The service's own job may be at it at the same time. */
const settled = (): Promise<void> =>
  eventually('nothing is left to hold or release', async () => {
    const { held, released } = (await run(service)) ?? { held: 1, released: 1 };
    return held + released === 0;
  });

const hold = async ({ tenant }: Member, form: Record<string, string>): Promise<string> =>
  done(await tenant.call<{ id: string }>('POST', '/holds', { form: { reason: 'claim', ...form } }))
    .id;

const release = async ({ tenant }: Member, id: string): Promise<unknown> =>
  done(await tenant.call('DELETE', `/holds/${id}`));

/** Every object, all of its versions, without asking imgstore. */
async function attacked(keys: Iterable<string>): Promise<string[]> {
  const gone: string[] = [];
  for (const key of keys) {
    const found = await endpoints.call((client) => client.statObject(name, key));
    const versionId = found.versionId ?? '';
    await endpoints
      .call((client) => client.removeObject(name, key, { versionId, governanceBypass: true }))
      .then(() => gone.push(key))
      .catch(() => undefined);
  }
  return gone;
}

describe('in a bucket with object lock', () => {
  test('the objects of what is held bear a legal hold, and no others', async () => {
    const user = await (await service.platform()).user();
    const folder = (await user.folder('held')).id;
    const [inside, named, free] = [
      await user.upload({ folder_id: folder }),
      await user.upload(),
      await user.upload(),
    ];
    const holds = [
      await hold(user, { folder_id: folder }),
      await hold(user, { image_ids: named.id }),
    ];
    await settled();
    for (const { id } of [inside, named]) {
      const objects = await heldObjects(user, id);
      assert.ok(objects.size >= 2);
      assert.ok([...objects.values()].every(Boolean));
      assert.deepEqual(await attacked(objects.keys()), []);
    }
    assert.ok(![...(await heldObjects(user, free.id)).values()].some(Boolean));
    // A crash before it was noted, and one before a release was.
    await rows(db, 'DELETE FROM legal_holds');
    await settled();
    assert.equal((await column(db, 'SELECT version_id FROM legal_holds')).length, 2);

    for (const id of holds) await release(user, id);
    const store = service.service.store.legalHolds;
    await store?.set([...(await heldObjects(user, named.id)).keys()], false);
    await settled();
    for (const { id } of [inside, named]) {
      assert.ok(![...(await heldObjects(user, id)).values()].some(Boolean));
    }
  });

  test('what is deleted right after its release goes once its legal hold is off', async () => {
    const user = await (await service.platform()).user();
    const image = await user.upload();
    const id = await hold(user, { user_id: user.id });
    await settled();
    const keys = [...(await heldObjects(user, image.id)).keys()];
    await release(user, id);
    await rows(db, 'DELETE FROM images WHERE id = $1', [image.id]);
    const reclaim = () =>
      reclaimOnce({ dataSource: db, store: service.service.store, delayHours: 0, lacking: 0 });
    await reclaim(); // which the bucket refuses, or the service has released it before
    await settled();
    await rows(db, `UPDATE object_reclaim SET not_before = now() - interval '1 day'`);
    assert.equal((await reclaim()).failed, 0);
    for (const key of keys) assert.equal(await service.service.store.stat(key), undefined);
  });

  test('new versions of a held image are held as well', async () => {
    const user = await (await service.platform()).user();
    const image = await user.upload();
    const id = await hold(user, { image_ids: image.id });
    await settled();
    await user.edit(image);
    await settled();
    const objects = await heldObjects(user, image.id);
    assert.ok(objects.size >= 4 && [...objects.values()].every(Boolean));
    await release(user, id);
    await settled();
    assert.ok(![...(await heldObjects(user, image.id)).values()].some(Boolean));
  });
});

test('doctor says when keys may not ask whether there is a lock', async (t) => {
  const secret = newBucketConfig();
  t.after(() => removeBucket(secret));
  const other = await ownService({ after: (end) => t.after(end) }, s3Settings(secret));
  const level = async (): Promise<string | undefined> =>
    (await operate(other, ['doctor', '--only', 'legal-holds'], s3Environment(secret))).json<{
      checks: { level: string }[];
    }>().checks[0]?.level;
  const rule = { Effect: 'Deny', Principal: '*', Action: 's3:GetBucketObjectLockConfiguration' };
  const Statement = [{ ...rule, Resource: [`arn:aws:s3:::${secret.bucket}`] }];
  const policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await openBucket(secret).endpoints.call((c) => c.setBucketPolicy(secret.bucket, policy));
  assert.equal(await level(), 'ok');
  const user = await (await other.platform()).user();
  await hold(user, { user_id: user.id });
  assert.deepEqual([await level(), await run(other)], ['warning', undefined]);
});

test('a bucket without object lock, and a store without buckets, are left as they are', async () => {
  const plain = newBucketConfig();
  after(() => removeBucket(plain));
  const other = await ownService({ after }, s3Settings(plain));
  const user = await (await other.platform()).user();
  const { id } = await user.upload();
  await hold(user, { image_ids: id });
  assert.equal(await run(other), undefined);
  assert.deepEqual(await rows(other.db, 'SELECT FROM legal_holds'), []);
  const local = await ownService({ after });
  assert.equal(await run(local), undefined);
});
