import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { BucketConfig } from '../../src/store/s3/bucket.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { newHome } from '../../testkit/command.js';
import type { Failure, Ran } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { newBucketConfig, newBucket, removeBucket } from '../../testkit/s3.js';
import type { Scope } from '../../testkit/scope.js';

const keysOf = ({ accessKey, secretKey }: BucketConfig) => ({
  IMGSTORE_S3_ACCESS_KEY: accessKey,
  IMGSTORE_S3_SECRET_KEY: secretKey,
});

const flagsOf = ({ endpoints, bucket }: BucketConfig): string[] => [
  ...['--s3-endpoint', endpoints.join(',')],
  ...['--s3-bucket', bucket],
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
    assert.match(error.message, /cannot be reached .*ECONNREFUSED/);
  });

  test('reports a wrong key, with 78', async (t) => {
    const bucketConfig = newBucketConfig();
    for (const wrong of [{ accessKey: 'nobody' }, { secretKey: 'wrong' }]) {
      const error = refusal(await init(t, { ...bucketConfig, ...wrong }));
      assert.equal(error.exit_code, 78, error.message);
      assert.equal(error.setting, 's3.access_key, s3.secret_key');
    }
  });

  test('reports TLS to a server without it, with 69', async (t) => {
    const bucketConfig = newBucketConfig();
    const secure = bucketConfig.endpoints.map((endpoint) => endpoint.replace('http:', 'https:'));
    const error = refusal(await init(t, { ...bucketConfig, endpoints: secure }));
    assert.equal(error.exit_code, 69, error.message);
    assert.match(error.remedy ?? '', /TLS/);
  });

  test('reports differing clocks, with 69', async (t) => {
    // The answer of S3 servers to a request with a wrong clock; the real server shares this machine's clock.
    const error = refusal(await init(t, await answering(t, 403, 'RequestTimeTooSkewed')));
    assert.equal(error.exit_code, 69);
    assert.match(error.message, /clocks/);
  });

  test('reports a different region, with 69', async (t) => {
    const error = refusal(await init(t, await answering(t, 400, 'AuthorizationHeaderMalformed')));
    assert.equal(error.exit_code, 69);
    assert.equal(error.setting, 's3.region');
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
    assert.match(error.message, /publicly readable/);
  });

  test('rejects the bucket of another installation, with 78', async (t) => {
    const bucketConfig = freeBucketConfig(t);
    assert.equal((await init(t, bucketConfig)).code, 0);
    const error = refusal(await init(t, bucketConfig));
    assert.equal(error.exit_code, 78);
    assert.equal(error.setting, 's3.bucket');
    assert.match(error.message, /belongs to another installation/);
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

/** A server that answers every request with an S3 error. */
async function answering(scope: Scope, status: number, code: string): Promise<BucketConfig> {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(status, { 'content-type': 'application/xml' });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { ...newBucketConfig(), endpoints: [`http://127.0.0.1:${port}`] };
}
