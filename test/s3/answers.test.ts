import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { reclaimBacklog, reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { refusalOf } from '../../src/store/port.js';
import { S3Store } from '../../src/store/s3/s3-store.js';
import { upload } from '../../src/store/s3/upload.js';
import { hosted } from '../../testkit/hosted-command.js';
import { testDatabase } from '../../testkit/database.js';
import { eventually } from '../../testkit/eventually.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { newBucket, removeBucket, s3Environment, s3Settings } from '../../testkit/s3.js';
import {
  behindGateway,
  type GatewayAnswer,
  type GatewayChanges,
  type Passing,
  s3Error,
  selfSigned,
} from '../../testkit/s3-gateway.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { bytesOf, incomingFile, listed, newKey, putBytes } from '../../testkit/store/harness.js';
import type { Member, Tenant } from '../../testkit/world.js';

const scope = lastFirst({ after });
const bucketConfig = await newBucket();
scope.after(() => removeBucket(bucketConfig));
const { url } = await testDatabase(scope);
const tested = await ownService(scope, { 'database.url': url, ...s3Settings(bucketConfig) });
const { db, service, home, client } = tested;
const { incoming } = home;
const env = { IMGSTORE_DATABASE_URL: url, ...s3Environment(bucketConfig) };
const command = (...words: string[]) => hosted([...words, '--home', home.dir], { env });
const { endpoints, name } = openBucket(bucketConfig);
const signer = {
  sign: (key: string) => key,
  signIn: (folder: string) => (key: string) => folder + key,
};

/** A user of the platform with an image. */
async function withImage(platform: Tenant): Promise<Member> {
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

/** Answers the first request that matches in another way; counts those. */
const once = (
  matches: (request: Passing) => boolean,
  change: (answer: GatewayAnswer) => GatewayAnswer,
) => {
  const seen = { requests: 0 };
  const answer = (given: GatewayAnswer, request: Passing): GatewayAnswer | undefined => {
    if (!matches(request)) return undefined;
    seen.requests += 1;
    return seen.requests === 1 ? change(given) : undefined;
  };
  return { seen, answer };
};

const withBody = (answer: GatewayAnswer, text: string): GatewayAnswer => ({
  ...answer,
  body: Buffer.from(text),
});

/** The same with one bit flipped. */
function flipped(body: Buffer): Buffer {
  const other = Buffer.from(body);
  other[0] = (other[0] ?? 0) ^ 1;
  return other;
}

const isPut = ({ method }: { method: string }): boolean => method === 'PUT';

/**
 * A gateway as a server that checks no hashes, and changes a bit of some objects that are put: it
 * signs what it passes on itself. @param changed puts of pictures whose bytes change. @param opaque
 * whether its ETags are not those of the bytes.
 */
async function ignoringHashes(
  t: Scope,
  { changed, opaque }: { readonly changed: number; readonly opaque: boolean },
) {
  const seen = { puts: [] as string[] };
  const config = await behindGateway(t, bucketConfig, {
    request: async (request) => {
      if (!isPut(request)) return undefined;
      const { pathname, search } = new URL(request.url, 'http://gateway');
      seen.puts.push(pathname);
      const pictures = seen.puts.filter((one) => !one.includes('/trial/')).length;
      const isChanged = pictures <= changed && !pathname.includes('/trial/');
      const body = isChanged ? flipped(request.body) : request.body;
      const condition = request.headers['if-none-match'];
      const passedOn = {
        method: 'PUT',
        bucketName: name,
        objectName: pathname.slice(name.length + 2),
        query: search.slice(1),
        headers: condition === undefined ? {} : { 'if-none-match': condition },
      };
      return endpoints
        .call((one) => one.makeRequestAsync(passedOn, body))
        .then(
          (answer) => {
            answer.resume();
            const etag = opaque ? '"opaque"' : answer.headers.etag;
            return { status: 200, headers: { etag }, body: Buffer.alloc(0) };
          },
          ({ code }: { code: string }) => s3Error(412, code),
        );
    },
  });
  return { config, seen };
}

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

describe('objects put into S3', () => {
  test('a bit that changes on the way is not stored, over TLS either', async (t) => {
    const tls = await selfSigned(t);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    for (const lasting of [false, true]) {
      let puts = 0;
      const store = await storeBehind(t, {
        tls,
        request: ({ method, body }) => {
          if (method !== 'PUT') return undefined;
          puts += 1;
          return lasting || puts === 1 ? flipped(body) : undefined;
        },
      });
      const key = newKey();
      const put = putBytes({ store, incoming }, 'a picture', key);
      if (lasting) await assert.rejects(put, { code: 'unavailable' });
      else await put;
      assert.equal(puts, lasting ? 4 : 2);
      const stored = await bytesOf(service.store, key);
      assert.equal(stored && String(stored), lasting ? undefined : 'a picture');
    }
  });

  test('a file that no longer has the hash of its upload is not stored', async () => {
    const object = await incomingFile({ incoming }, newKey(), 'changed on the disk');
    const sha256 = createHash('sha256').update('as received').digest('hex');
    await assert.rejects(service.store.put([{ ...object, sha256 }]), { code: 'unavailable' });
    assert.equal(await service.store.stat(object.key), undefined);
  });

  test('a bucket that demands Content-MD5, as those with object lock do, gets it', async (t) => {
    const wants = 'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests';
    const bucket = openBucket(
      await behindGateway(t, bucketConfig, {
        request: ({ method, headers }) =>
          method === 'PUT' && headers['content-md5'] === undefined
            ? s3Error(400, 'InvalidRequest', wants)
            : undefined,
      }),
    );
    for (const largest of [undefined, 0]) {
      const object = await incomingFile({ incoming }, newKey(), 'x');
      await upload(bucket, object, largest);
      assert.equal(String(await bytesOf(service.store, object.key)), 'x');
    }
  });

  for (const etags of ['MD5', 'opaque'] as const) {
    test(`a server that ignores hashes stores nothing else, with ${etags} ETags`, async (t) => {
      for (const [changed, attempts] of [
        [0, 1],
        [1, 2],
        [9, 4],
      ] as const) {
        const { config, seen } = await ignoringHashes(t, { changed, opaque: etags === 'opaque' });
        const store = new S3Store({ bucket: openBucket(config), instanceId: '', signer });
        const key = newKey();
        const put = putBytes({ store, incoming }, 'a picture', key);
        if (attempts === 4) await assert.rejects(put, { code: 'unavailable' });
        else await put;
        const stored = await bytesOf(service.store, key);
        assert.equal(stored && String(stored), attempts === 4 ? undefined : 'a picture');
        const puts = seen.puts.filter((one) => one.endsWith(key));
        assert.equal(puts.length, attempts);
      }
      assert.deepEqual(await listed(service.store, 'trial/'), []);
    });
  }

  test('nor does it in parts', async (t) => {
    for (const changed of [0, 9]) {
      const { config } = await ignoringHashes(t, { changed, opaque: false });
      const object = await incomingFile({ incoming }, newKey(), 'a picture');
      const put = upload(openBucket(config), object, 0);
      if (changed > 0) await assert.rejects(put, { code: 'BadDigest' });
      else await put;
      const stored = await bytesOf(service.store, object.key);
      assert.equal(stored && String(stored), changed > 0 ? undefined : 'a picture');
    }
  });

  test('a server that checks hashes need not say so in its ETags, as with a KMS', async (t) => {
    const asked: string[] = [];
    const store = await storeBehind(t, {
      answer: (answer, { method, url }) => {
        asked.push(`${method} ${url}`);
        return { ...answer, headers: { ...answer.headers, etag: `"${'0'.repeat(32)}"` } };
      },
    });
    for (const text of ['one', 'two']) await putBytes({ store, incoming }, text);
    assert.equal(asked.filter((one) => one.startsWith('GET')).length, 0, 'nothing is read back');
    assert.equal(asked.filter((one) => one.includes('/trial/')).length, 1, 'it is tried once');
  });

  test('a put answered by something else is none', async (t) => {
    const page = { status: 200, headers: {}, body: Buffer.from('<html>Welcome</html>') };
    const store = await storeBehind(t, { request: (one) => (isPut(one) ? page : undefined) });
    await assert.rejects(putBytes({ store, incoming }, 'x'), ({ cause }: Error) => {
      assert.match(String(cause), /without an ETag/);
      return true;
    });
  });

  test('an upload in parts is complete when the answer says so', async (t) => {
    const isEnd = ({ method, url }: Passing) => method === 'POST' && /uploadId=/.test(url);
    const cases = [
      ['<html>ok</html>', /without a CompleteMultipartUploadResult/],
      [String(s3Error(200, 'AccessDenied', 'not you').body), /not you/],
      [String(s3Error(200, 'InternalError').body), undefined],
    ] as const;
    for (const [text, fails] of cases) {
      const { seen, answer } = once(isEnd, (given) => withBody(given, text));
      const bucket = openBucket(await behindGateway(t, bucketConfig, { answer }));
      const object = await incomingFile({ incoming }, newKey(), 'x');
      if (fails) await assert.rejects(upload(bucket, object, 0), fails);
      else await upload(bucket, object, 0);
      assert.equal(seen.requests, fails ? 1 : 2);
    }
  });

  test('readiness finds out about writing after a put failed, and not before', async (t) => {
    const platform = await tested.platform();
    const user = await tested.user(platform);
    const form = async () => ({ image_data: filePart(await jpeg()) });
    const as = ['User', user.token] as const;
    const ready = async () => (await client.raw('GET', '/readyz')).status;
    const deny = async (prefix: string) => {
      const rule = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject' };
      const Statement = [{ ...rule, Resource: [`arn:aws:s3:::${name}/${prefix}*`] }];
      const policy = JSON.stringify({ Version: '2012-10-17', Statement });
      await endpoints.call((one) => one.setBucketPolicy(name, policy));
    };
    await service.store.checkReady();
    await deny('');
    t.after(() => deny('nothing/'));
    await service.store.checkReady(); // it writes nothing while all is well
    assert.equal((await client.post(user.images, { as, form: await form() })).status, 503);
    await eventually('it is not ready', async () => (await ready()) === 503);
    await service.store.check(); // so that what is due can be deleted from a full bucket
    await deny('nothing/');
    await eventually('it is ready', async () => (await ready()) === 200);
    assert.deepEqual(await listed(service.store, 'trial/'), []);
    assert.equal((await client.post(user.images, { as, form: await form() })).status, 200);
  });
});

describe('lists of S3', () => {
  const initiate = (key: string) =>
    endpoints.call((one) => one.initiateNewMultipartUpload(name, key, {}));
  const isList = ({ method, url }: Passing) => method === 'GET' && /[?&]list-type=2/.test(url);

  test('more unfinished uploads of a key than fit in one answer are all aborted', async (t) => {
    const key = newKey();
    for (let i = 0; i < 3; i += 1) await initiate(key);
    const store = await storeBehind(t, {
      answer: (answer, { url }) => {
        if (!/[?&]uploads/.test(url) || /upload-id-marker=/.test(url)) return undefined;
        const [first = '', ...others] = String(answer.body).split(/(?<=<\/Upload>)/);
        const end = others.at(-1) ?? '';
        const text = `${first}${end}`.replace(/<IsTruncated>\w+/, '<IsTruncated>true');
        return withBody(answer, text);
      },
    });
    await store.delete([key]);
    const left: string[] = [];
    for await (const upload of service.store.unfinished()) left.push(upload.key);
    assert.deepEqual(
      left.filter((one) => one === key),
      [],
    );
  });

  test('an abort whose answer was lost is done', async (t) => {
    const key = newKey();
    await initiate(key);
    const { seen, answer } = once(
      ({ method, url }) => method === 'DELETE' && /uploadId=/.test(url),
      () => s3Error(500, 'InternalError'),
    );
    await (await storeBehind(t, { answer })).delete([key]);
    assert.equal(seen.requests, 2);
  });

  test('an empty page that is not the last ends no list; one that repeats is an error', async (t) => {
    const prefix = `${randomUUID()}/`;
    const key = await putBytes({ store: service.store, incoming }, 'x', `${prefix}a.json`);
    let page: GatewayAnswer | undefined;
    const empty = `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>`;
    const gap = await storeBehind(t, {
      answer: (answer, request) => {
        if (!isList(request)) return undefined;
        if (/continuation-token=t/.test(request.url)) return page;
        page = answer;
        return withBody(answer, empty);
      },
    });
    assert.deepEqual(await listed(gap, prefix), [key]);
    for (const text of [undefined, empty]) {
      const stuck = await storeBehind(t, {
        answer: (answer, request) => {
          if (!isList(request)) return undefined;
          page ??= answer;
          const more = String(page.body).replace(/<IsTruncated>\w+/, '<IsTruncated>true');
          return { ...page, body: Buffer.from(text ?? more) };
        },
      });
      await assert.rejects(listed(stuck, prefix), { code: 'unavailable' });
    }
  });
});
