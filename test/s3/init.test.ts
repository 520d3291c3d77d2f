import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type BucketConfig, openBucket } from '../../src/store/s3/bucket.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { newHome, type Failure, type Ran } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { emptyVersions, newBucket, newBucketConfig, removeBucket } from '../../testkit/s3.js';
import { behindGateway, s3Error, selfSigned, type Passing } from '../../testkit/s3-gateway.js';
import type { Scope } from '../../testkit/scope.js';

const keysOf = ({ accessKey, secretKey }: BucketConfig) => ({
  IMGSTORE_S3_ACCESS_KEY: accessKey,
  IMGSTORE_S3_SECRET_KEY: secretKey,
});

const flagsOf = ({ endpoints, bucket }: BucketConfig): string[] => [
  '--s3-endpoint',
  endpoints.join(','),
  '--s3-bucket',
  bucket,
];

/** A free bucket name; the bucket is removed when the scope ends. */
function freeBucketConfig(scope: Scope): BucketConfig {
  const bucketConfig = newBucketConfig();
  scope.after(() => removeBucket(bucketConfig));
  return bucketConfig;
}

async function init(
  scope: Scope,
  bucketConfig: BucketConfig,
  env: Record<string, string> = keysOf(bucketConfig),
): Promise<Ran> {
  const home = await newHome(scope);
  const { url } = await testDatabase(scope);
  const args = ['init', '--home', home.dir, '--database-url', url, '--json'];
  return hosted([...args, ...flagsOf(bucketConfig)], { env });
}

function refusal({ code, stdout, json }: Ran): Failure['error'] {
  assert.notEqual(code, 0, stdout);
  return json<Failure>().error;
}

/** What `init` reports about a bucket, before it asks for the database. */
async function refusedEarly(scope: Scope, bucketConfig: BucketConfig): Promise<Failure['error']> {
  const home = await newHome(scope);
  const args = ['init', '--home', home.dir, '--database-url', 'postgresql://127.0.0.1:9/x'];
  const env = keysOf(bucketConfig);
  return refusal(await hosted([...args, '--json', ...flagsOf(bucketConfig)], { env }));
}

describe('imgstore init with an S3 server', { concurrency: 2 }, () => {
  test('creates the bucket, writes the sentinel, and stores the values of flags', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const args = ['init', '--home', home.dir, '--database-url', url, ...flagsOf(bucketConfig)];
    const made = await hosted(args, { env: keysOf(bucketConfig) });
    assert.equal(made.code, 0, made.stdout + made.stderr);
    assert.match(made.stdout, /S3 keys came from the environment/);
    const config = await readFile(home.configFile, 'utf8');
    assert.match(config, new RegExp(`^s3\\.bucket: ${bucketConfig.bucket}$`, 'm'));
    assert.ok(!config.includes(bucketConfig.secretKey));
    const { endpoints, name } = openBucket(bucketConfig);
    const { objects } = await endpoints.call((c) => c.listObjectsV2Query(name, '', '', '', 9, ''));
    assert.deepEqual(
      objects.map((object) => object.name),
      [sentinelKey],
    );
    const again = await hosted([...args, '--json'], { env: keysOf(bucketConfig) });
    assert.equal(again.code, 0, again.stdout);
    assert.equal(again.json<{ store: string }>().store, 's3');
  });

  test('an endpoint that is no S3 server is 78, and says so', async (t) => {
    for (const [status, body] of [
      [200, '<html>It works!</html>'],
      [404, 'no such page'],
    ] as const) {
      const website = createServer((_request, response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end(body);
      });
      website.listen(0, '127.0.0.1');
      await once(website, 'listening');
      t.after(() => website.close());
      const { port } = website.address() as AddressInfo;
      const elsewhere = { ...newBucketConfig(), endpoints: [`http://127.0.0.1:${port}`] };
      const error = refusal(await init(t, elsewhere));
      assert.deepEqual([error.exit_code, error.setting], [78, 's3.endpoint'], error.message);
      assert.match(error.message, /The server at the endpoint is not an S3 server/);
    }
  });

  test('uses the instance credentials of the machine, as AWS provides them', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    const metadata = createServer((_request, response) => {
      const keys = { AccessKeyId: bucketConfig.accessKey, SecretAccessKey: bucketConfig.secretKey };
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      response.end(JSON.stringify({ ...keys, Token: '', Expiration }));
    });
    metadata.listen(0, '127.0.0.1');
    await once(metadata, 'listening');
    t.after(() => metadata.close());
    const { port } = metadata.address() as AddressInfo;
    const env = {
      IMGSTORE_S3_CREDENTIALS: 'instance',
      IMGSTORE_S3_DELIVERY: 'proxy',
      IMGSTORE_S3_PREFIX: 'shared/main',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/credentials`,
    };
    const { code, stdout } = await init(t, bucketConfig, env);
    assert.equal(code, 0, stdout);
    const { endpoints, name } = openBucket(bucketConfig);
    const { objects } = await endpoints.call((c) => c.listObjectsV2Query(name, '', '', '', 9, ''));
    assert.deepEqual(
      objects.map((object) => object.name),
      [`shared/main/${sentinelKey}`],
    );
    const direct = refusal(await init(t, bucketConfig, { ...env, IMGSTORE_S3_DELIVERY: 'direct' }));
    assert.deepEqual([direct.exit_code, direct.setting], [78, 's3.delivery']);
    metadata.close();
    metadata.closeAllConnections();
    const without = refusal(await init(t, bucketConfig, env));
    assert.deepEqual([without.exit_code, without.setting], [69, 's3.credentials']);
  });

  test('reads the keys from files, too', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    const dir = (await newHome(t)).dir;
    const [access, secret] = [`${dir}-access`, join(dir, '..', 'secret')];
    await writeFile(access, `${bucketConfig.accessKey}\n`);
    await writeFile(secret, `${bucketConfig.secretKey}\n`);
    const env = { IMGSTORE_S3_ACCESS_KEY_FILE: access, IMGSTORE_S3_SECRET_KEY_FILE: secret };
    const { code, stdout } = await init(t, bucketConfig, env);
    assert.equal(code, 0, stdout);
  });

  test('reports missing settings, with 78', async (t) => {
    const { setting, exit_code } = refusal(await init(t, newBucketConfig(), {}));
    assert.equal(exit_code, 78);
    assert.equal(setting, 's3.access_key, s3.secret_key');
  });

  test('reports that nothing answers at the endpoint, with 69', async (t) => {
    const bucketConfig = { ...newBucketConfig(), endpoints: ['http://127.0.0.1:9'] };
    const error = refusal(await init(t, bucketConfig));
    assert.equal(error.exit_code, 69);
    assert.equal(error.setting, 's3.endpoint');
    assert.ok(error.message.includes('ECONNREFUSED'), error.message);
  });

  test('reports a wrong key, with 78', async (t) => {
    const bucketConfig = newBucketConfig();
    for (const wrong of [{ accessKey: 'nobody' }, { secretKey: 'wrong' }]) {
      const error = refusal(await init(t, { ...bucketConfig, ...wrong }));
      assert.equal(error.exit_code, 78, error.message);
      assert.equal(error.setting, 's3.access_key, s3.secret_key');
    }
  });

  test('reports TLS to a server without it, with 78', async (t) => {
    const bucketConfig = newBucketConfig();
    const secure = bucketConfig.endpoints.map((endpoint) => endpoint.replace('http:', 'https:'));
    const error = refusal(await init(t, { ...bucketConfig, endpoints: secure }));
    assert.equal(error.exit_code, 78, error.message);
    assert.match(error.remedy ?? '', /TLS/);
  });

  test('reports a server with TLS that is asked without it, or whose certificate is unknown', async (t) => {
    const tls = await selfSigned(t);
    const { endpoints, ...rest } = await behindGateway(t, newBucketConfig(), { tls });
    const [secure = ''] = endpoints;
    const plain = secure.replace('https:', 'http:');
    const unsafe = refusal(await init(t, { ...rest, endpoints: [plain] }));
    assert.deepEqual([unsafe.exit_code, unsafe.setting], [78, 's3.endpoint'], unsafe.message);
    assert.equal(unsafe.remedy, `Use ${secure}`);
    const unknown = refusal(await init(t, { ...rest, endpoints }));
    assert.deepEqual([unknown.exit_code, unknown.setting], [78, 's3.endpoint'], unknown.message);
    assert.match(unknown.remedy ?? '', /NODE_EXTRA_CA_CERTS/);
  });

  test('reports differing clocks, with 69', async (t) => {
    // The answer of S3 servers to a request with a wrong clock; the real server shares this machine's clock.
    const error = refusal(await init(t, await answering(t, 403, 'RequestTimeTooSkewed')));
    assert.equal(error.exit_code, 69);
    assert.match(error.message, /clocks/);
  });

  test('reports a different region, with 78 and the right one', async (t) => {
    const more = '<Region>eu-central-1</Region>';
    const server = await answering(t, 400, 'AuthorizationHeaderMalformed', more);
    const error = refusal(await init(t, server));
    assert.deepEqual([error.exit_code, error.setting], [78, 's3.region']);
    assert.equal(error.remedy, 'Set s3.region to eu-central-1.');
  });

  test('says what the server says: rejections with 78, a lack of space with 69', async (t) => {
    const cases = [
      [501, 'NotImplemented', 78, 's3.endpoint'],
      [400, 'InvalidRequest', 78, 's3.bucket'],
      [400, 'InvalidBucketName', 78, 's3.bucket'],
      [403, 'QuotaExceeded', 69, 's3.bucket'],
      [307, 'TemporaryRedirect', 69, 's3.endpoint'],
    ] as const;
    for (const [status, code, exit, setting] of cases) {
      const error = await refusedEarly(t, await answering(t, status, code));
      assert.deepEqual([error.exit_code, error.setting], [exit, setting], error.message);
      assert.match(error.message, new RegExp(`: ${code}, no`));
    }
  });

  test('names the permission that the keys lack, with 78 and the command that grants it', async (t) => {
    const bucketConfig = await newBucket();
    const { endpoints, name } = openBucket(bucketConfig);
    t.after(async () => {
      const harmless = denial('s3:GetBucketCORS', name);
      await endpoints.call((client) => client.setBucketPolicy(name, harmless));
      await removeBucket(bucketConfig);
    });
    for (const action of [
      's3:ListBucket',
      's3:PutObject',
      's3:GetObject',
      's3:ListBucketMultipartUploads',
      's3:AbortMultipartUpload',
      's3:DeleteObject',
    ]) {
      await endpoints.call((client) => client.setBucketPolicy(name, denial(action, name)));
      const error = await refusedEarly(t, bucketConfig);
      assert.deepEqual([error.exit_code, error.setting], [78, 's3.access_key'], error.message);
      assert.match(error.message, new RegExp(`The keys do not permit ${action} \\(while`));
      assert.match(
        error.remedy ?? '',
        /aws iam put-user-policy .+"s3:DeleteObject".+--endpoint-url/,
      );
    }
  });

  test('rejects a server that lacks a request which is rarely made', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    const rare: readonly [RegExp, (request: Passing) => boolean, number][] = [
      [
        /listing unfinished uploads/,
        ({ method, url }) => method === 'GET' && /[?&]uploads/.test(url),
        501,
      ],
      [/copying an object/, ({ headers }) => 'x-amz-copy-source' in headers, 501],
      [/writing an object in parts/, ({ url }) => /partNumber=/.test(url), 501],
      [/reading a range/, ({ headers }) => 'range' in headers, 200],
    ];
    for (const [doing, matches, status] of rare) {
      const there = await behindGateway(t, bucketConfig, {
        request: (request) =>
          matches(request)
            ? { status, headers: {}, body: Buffer.from(status === 200 ? '{}' : '') }
            : undefined,
      });
      const error = await refusedEarly(t, there);
      assert.deepEqual([error.exit_code, error.setting], [78, 's3.endpoint'], error.message);
      assert.match(error.message, doing);
    }
  });

  test('says that the bucket keeps what is deleted, as doctor does', async (t) => {
    const versioned = await newBucket();
    t.after(() => emptyVersions(versioned));
    const { endpoints, name } = openBucket(versioned);
    await endpoints.call((client) => client.setBucketVersioning(name, { Status: 'Enabled' }));
    const policy = denial('s3:GetBucketVersioning', name);
    await endpoints.call((client) => client.setBucketPolicy(name, policy));
    const untold = await init(t, versioned);
    assert.equal(untold.code, 0, untold.stdout);
    assert.match(
      untold.stderr,
      /Warning: The bucket .+ is versioned, and .+"s3:GetBucketVersioning"/,
    );
    await emptyVersions(versioned);
    await endpoints.call((client) => client.makeBucket(name, versioned.region));
    await endpoints.call((client) => client.setBucketVersioning(name, { Status: 'Enabled' }));
    const made = await init(t, versioned);
    assert.equal(made.code, 0, made.stdout);
    assert.doesNotMatch(made.stderr, /versioned/, 'versions are deleted as well');

    const locked = newBucketConfig();
    t.after(() => emptyVersions(locked));
    await openBucket(locked).endpoints.call(async (client) => {
      await client.makeBucket(locked.bucket, locked.region, { ObjectLocking: true });
      const period = { mode: 'GOVERNANCE', unit: 'Days', validity: 3 } as const;
      // Its types say that it may return nothing.
      await (client.setObjectLockConfig(locked.bucket, period) as unknown as Promise<void>);
    });
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const at = ['--home', home.dir, '--database-url', url, ...flagsOf(locked)];
    const other = await hosted(['init', ...at], { env: keysOf(locked) });
    assert.equal(other.code, 0, other.stdout + other.stderr);
    const says = /is locked: what is deleted.+for at least 3 days \(GOVERNANCE\)/;
    assert.match(other.stderr, says);
    const examined = await hosted(['doctor', '--only', 'store', '--json', ...at], {
      env: keysOf(locked),
    });
    const { checks } = examined.json<{ checks: { level: string; message: string }[] }>();
    assert.equal(checks[0]?.level, 'warning');
    assert.match(checks[0]?.message ?? '', says);
  });

  test('rejects a publicly readable bucket, with 78', async (t) => {
    const bucketConfig = await newBucket();
    t.after(() => removeBucket(bucketConfig));
    const { endpoints, name } = openBucket(bucketConfig);
    const open = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject' };
    const policy = {
      Version: '2012-10-17',
      Statement: [{ ...open, Resource: [`arn:aws:s3:::${name}/*`] }],
    };
    await endpoints.call((client) => client.setBucketPolicy(name, JSON.stringify(policy)));
    const error = refusal(await init(t, bucketConfig));
    assert.equal(error.exit_code, 78);
    assert.equal(error.setting, 's3.bucket');
  });

  test('rejects the bucket of another installation, with 78', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    assert.equal((await init(t, bucketConfig)).code, 0);
    const error = refusal(await init(t, bucketConfig));
    assert.equal(error.exit_code, 78);
    assert.equal(error.setting, 's3.bucket');
    assert.equal(error.code, 'foreign');
  });

  test('rejects URL lifetimes that S3 does not support, with 78', async (t) => {
    const home = await newHome(t);
    const bucketConfig = newBucketConfig();
    const args = ['init', '--home', home.dir, '--json', '--signed-url-ttl', '6d'];
    const error = refusal(
      await hosted([...args, ...flagsOf(bucketConfig)], { env: keysOf(bucketConfig) }),
    );
    assert.equal(error.exit_code, 78);
    assert.equal(error.setting, 'signed_url_ttl');
    await assert.rejects(access(home.dir), { code: 'ENOENT' }, 'nothing was made');
  });
});

/** A server that answers every request with an S3 error. @param more elements of its document. */
const answering = (scope: Scope, status: number, code: string, more = ''): Promise<BucketConfig> =>
  behindGateway(scope, newBucketConfig(), {
    request: () => {
      const error = s3Error(status, code);
      const text = String(error.body).replace('</Error>', `${more}</Error>`);
      return { ...error, body: Buffer.from(text) };
    },
  });

/** A policy that denies everybody, the owner of the bucket included, one action. */
function denial(action: string, bucket: string): string {
  const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const Statement = [{ Effect: 'Deny', Principal: '*', Action: action, Resource }];
  return JSON.stringify({ Version: '2012-10-17', Statement });
}
