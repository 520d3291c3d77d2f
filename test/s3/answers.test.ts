import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { reclaimBacklog, reclaimOnce } from '../../src/reclaim/reclaim.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { refusalOf } from '../../src/store/port.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import { hosted } from '../../testkit/hosted-command.js';
import { testDatabase } from '../../testkit/database.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { newBucket, removeBucket, s3Settings } from '../../testkit/s3.js';
import { behindGateway, s3Error, type GatewayChanges } from '../../testkit/s3-gateway.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { testService, type TestPlatform, type TestUser } from '../../testkit/service.js';
import { listed, newKey, putBytes } from '../../testkit/store/harness.js';

const scope = lastFirst({ after });
const bucketConfig = await newBucket();
scope.after(() => removeBucket(bucketConfig));
const { url } = await testDatabase(scope);
const tested = await testService(scope, { 'database.url': url, ...s3Settings(bucketConfig) });
const { db, service, home, client } = tested;
const { incoming } = home;
const env = {
  IMGSTORE_DATABASE_URL: url,
  IMGSTORE_S3_ENDPOINT: bucketConfig.endpoints.join(','),
  IMGSTORE_S3_BUCKET: bucketConfig.bucket,
  IMGSTORE_S3_ACCESS_KEY: bucketConfig.accessKey,
  IMGSTORE_S3_SECRET_KEY: bucketConfig.secretKey,
};
const command = (...words: string[]) => hosted([...words, '--home', home.dir], { env });
const { endpoints, name } = openBucket(bucketConfig);
const signer = {
  sign: (key: string) => key,
  signIn: (folder: string) => (key: string) => folder + key,
};

/** A user of the platform with an image. */
async function withImage(platform: TestPlatform): Promise<TestUser> {
  const user = await tested.user(platform);
  const image_data = filePart(await jpeg());
  const { status } = await client.post(user.images, {
    as: ['User', user.token],
    form: { image_data },
  });
  assert.equal(status, 200);
  return user;
}

/** Denies everybody, the owner included, to delete objects whose keys begin with this. */
async function denyDeletion(prefix: string): Promise<void> {
  const rule = { Effect: 'Deny', Principal: '*', Action: 's3:DeleteObject' };
  const Statement = [{ ...rule, Resource: [`arn:aws:s3:::${name}/${prefix}*`] }];
  const policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await endpoints.call((client) => client.setBucketPolicy(name, policy));
}

const allowDeletion = () => denyDeletion('nothing/');

/** The store of the service, behind a gateway. */
async function storeBehind(t: Scope, changes: GatewayChanges): Promise<S3Store> {
  const bucket = openBucket(await behindGateway(t, bucketConfig, changes));
  return new S3Store({ bucket, instanceId: '', signer });
}

const isDeletion = ({ method, url }: { method: string; url: string }): boolean =>
  method === 'POST' && /\?delete/.test(url);

const refusedBy = async (deletion: Promise<void>) => {
  const error = await deletion.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const refusal = refusalOf(error);
  assert.ok(refusal, `not a refusal: ${String(error)}`);
  return Object.fromEntries(refusal.reasons);
};

describe('deletions in S3', () => {
  test('objects that may not be deleted stay listed, and are named everywhere', async (t) => {
    const platform = await tested.platform();
    const user = await withImage(platform);
    await denyDeletion(`${platform.id}/`);
    t.after(allowDeletion);
    const before = await listed(service.store, `${platform.id}/`);
    assert.ok(before.length >= 2);
    const other = await putBytes({ store: service.store, incoming }, 'x');
    await rows(db, `INSERT INTO object_reclaim (key, not_before) VALUES ($1, now())`, [other]);
    await client.delete(`/api/v1/users/${user.id}`, { as: ['User', user.token] });

    await reclaimOnce({ dataSource: db, store: service.store });
    assert.equal(await service.store.stat(other), undefined);
    assert.deepEqual(await listed(service.store, `${platform.id}/`), before);
    const backlog = await reclaimBacklog(db);
    assert.deepEqual(
      [backlog.pending, backlog.due, backlog.failing],
      [before.length, 0, before.length],
    );
    assert.ok(backlog.oldest);

    const shown = await command('user', 'show', user.id, '--json');
    const { state, remaining } = shown.json<{ state: string; remaining: { failing: number } }>();
    assert.deepEqual([state, remaining.failing], ['deleted', before.length]);

    await rows(db, `UPDATE object_reclaim SET attempts = 9`);
    const examined = await command('doctor', '--only', 'reclaim', '--json');
    const [check] = examined.json<{ checks: { message: string; remedy: string }[] }>().checks;
    assert.match(
      check?.message ?? '',
      new RegExp(`cannot be deleted.+${platform.id}/.+AccessDenied`),
    );
    assert.match(check?.remedy ?? '', /s3:DeleteObject/);

    await allowDeletion();
    await rows(db, `UPDATE object_reclaim SET not_before = now()`);
    await reclaimOnce({ dataSource: db, store: service.store });
    assert.deepEqual(await listed(service.store, `${platform.id}/`), []);
    assert.equal((await reclaimBacklog(db)).pending, 0);
  });

  test('the report on a deleted platform says what is still stored', async (t) => {
    const platform = await tested.platform('to be deleted');
    await withImage(platform);
    await denyDeletion(`${platform.id}/`);
    t.after(allowDeletion);
    const ran = await command('platform', 'delete', platform.id, '--confirm', 'to be deleted');
    assert.equal(ran.code, 0, ran.stderr);
    await reclaimOnce({ dataSource: db, store: service.store });
    const shown = await command('platform', 'show', platform.id);
    assert.match(
      shown.stdout,
      /files .+ still stored, \d of which cannot be deleted \(AccessDenied/,
    );
  });

  test('an answer that leaves a key out, or is none, is no success', async (t) => {
    const answers = ['<DeleteResult/>', '<html>ok</html>', ''];
    for (const body of answers) {
      const store = await storeBehind(t, {
        answer: (answer, request) =>
          isDeletion(request) ? { ...answer, body: Buffer.from(body) } : undefined,
      });
      await assert.rejects(store.delete([newKey()]), { code: 'unavailable' }, body);
    }
    const error = s3Error(200, 'AccessDenied');
    const store = await storeBehind(t, {
      answer: (_answer, request) => (isDeletion(request) ? error : undefined),
    });
    await assert.rejects(store.delete([newKey()]), ({ cause }: Error) => {
      assert.match(String(cause), /no/);
      return true;
    });
  });

  test('a passing failure of one key is tried again; a lasting one is that of its key', async (t) => {
    const [brief, lasting, fine] = [newKey(), newKey(), newKey()] as const;
    let failing = [brief, lasting];
    let requests = 0;
    const failure = (key: string) =>
      `<Error><Key>${key}</Key><Code>InternalError</Code><Message>We failed</Message></Error>`;
    const store = await storeBehind(t, {
      answer: ({ status, headers, body }, request) => {
        if (!isDeletion(request)) return undefined;
        requests += 1;
        let text = String(body);
        for (const key of failing) {
          text = text.replace(new RegExp(`<Deleted><Key>${key}</Key>.*?</Deleted>`), failure(key));
        }
        failing = [lasting];
        return { status, headers, body: Buffer.from(text) };
      },
    });
    for (const key of [brief, lasting, fine])
      await putBytes({ store: service.store, incoming }, 'x', key);
    const refused = await refusedBy(store.delete([brief, lasting, fine]));
    assert.deepEqual(refused, { [lasting]: 'InternalError: We failed' });
    assert.equal(requests, 4, 'the attempts of every request');
  });
});
