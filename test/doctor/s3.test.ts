import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { loadSettings } from '../../src/base/config/load.js';
import { openBucket } from '../../src/store/s3/bucket.js';
import { minuteMs } from '../../src/base/units.js';
import { newHome } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { initializeHome } from '../../testkit/initialize-home.js';
import { newBucket, removeBucket, s3Settings } from '../../testkit/s3.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { Patient, type CheckResult } from './patient.js';

const scope = lastFirst({ after });
const bucketConfig = await newBucket();
scope.after(() => removeBucket(bucketConfig));
const { url } = await testDatabase(scope);
const home = await newHome(scope);
const flags = { 'database.url': url, ...s3Settings(bucketConfig) };
const { values } = await loadSettings({ flags, env: {}, home });
const chosen = {
  'database.url': url,
  's3.endpoint': values['s3.endpoint'],
  's3.bucket': bucketConfig.bucket,
  's3.region': bucketConfig.region,
};
await initializeHome(home, values, { chosen });
const keys = {
  IMGSTORE_S3_ACCESS_KEY: bucketConfig.accessKey,
  IMGSTORE_S3_SECRET_KEY: bucketConfig.secretKey,
};
const patient = Patient.of(home, url, { env: keys });
const bucket = openBucket(bucketConfig);

/** A bucket on which anybody may perform an action. @returns the flag that selects it. */
async function permitting(t: Scope, action: string, objects: string): Promise<string[]> {
  const open = await newBucket();
  t.after(() => removeBucket(open));
  const { endpoints, name } = openBucket(open);
  const resource = `arn:aws:s3:::${name}${objects}`;
  const rule = { Effect: 'Allow', Principal: '*', Action: action, Resource: [resource] };
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [rule] });
  await endpoints.call((client) => client.setBucketPolicy(name, policy));
  return ['--s3-bucket', name];
}

/** A gateway to the S3 server with a wrong clock. @returns its URL. */
async function withClockOff(t: Scope, ms: number): Promise<string> {
  const { hostname, port } = new URL(bucketConfig.endpoints[0] ?? '');
  const server = createServer((incoming, answer) => {
    const onward = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (from) => {
        const date = new Date(Date.now() + ms).toUTCString();
        answer.writeHead(from.statusCode ?? 500, { ...from.headers, date });
        from.pipe(answer);
      },
    );
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function expect({ level, message, remedy }: CheckResult, says: RegExp, cure: RegExp): void {
  assert.equal(level, 'problem', message);
  assert.match(message, says);
  assert.match(remedy ?? '', cure);
}

describe('doctor of an installation with S3', () => {
  test('finds no problem with its bucket, and leaves nothing in it', async () => {
    const results = await patient.examined(['store', 'sentinel', 'store-listing', 'clock-store']);
    assert.deepEqual(
      results.filter(({ level }) => level !== 'ok'),
      [],
    );
    const { objects } = await bucket.endpoints.call((client) =>
      client.listObjectsV2Query(bucket.name, '', '', '', 9, ''),
    );
    assert.equal(objects.length, 1, 'the mark alone');
  });

  test('reports a server that cannot be reached', async () => {
    const result = await patient.check('store', { args: ['--s3-endpoint', 'http://127.0.0.1:9'] });
    expect(result, /S3 server cannot be reached/, /curl -i ENDPOINT/);
  });

  test('reports wrong keys', async () => {
    const env = { ...keys, IMGSTORE_S3_SECRET_KEY: 'wrong' };
    expect(await patient.check('store', { env }), /rejected the keys/, /IMGSTORE_S3_SECRET_KEY/);
  });

  test('reports a missing bucket, and does not create it', async () => {
    const name = `${bucketConfig.bucket}-x`;
    const result = await patient.check('store', { args: ['--s3-bucket', name] });
    expect(result, /There is no such bucket/, /init creates it/);
    assert.ok(!(await bucket.endpoints.call((client) => client.bucketExists(name))));
  });

  test('reports objects that anybody can read', async (t) => {
    const args = await permitting(t, 's3:GetObject', '/*');
    expect(await patient.check('store', { args }), /publicly readable/, /Remove its public policy/);
  });

  test('reports a bucket that anybody can list', async (t) => {
    const args = await permitting(t, 's3:ListBucket', '');
    const result = await patient.check('store-listing', { args });
    expect(result, /Anybody can list the objects/, /aws s3api delete-bucket-policy --bucket/);
  });

  test('reports origins that the bucket does not let read', async (t) => {
    const own = await newBucket();
    t.after(() => removeBucket(own));
    const { endpoints, name } = openBucket(own);
    const rule =
      '<CORSRule><AllowedOrigin>https://a.example</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>';
    const body = `<CORSConfiguration>${rule}</CORSConfiguration>`;
    const headers = { 'Content-MD5': createHash('md5').update(body).digest('base64') };
    const change = { method: 'PUT', bucketName: name, query: 'cors', headers };
    await endpoints.call((client) => client.makeRequestAsyncOmit(change, body));
    const args = (...origins: string[]) => [
      '--s3-bucket',
      name,
      '--s3-delivery=direct',
      '--public-url=https://a.example/images',
      `--cors-origins=${origins.join(',')}`,
    ];
    const fine = await patient.check('store-cors', { args: args('https://a.example') });
    assert.equal(fine.level, 'ok', fine.message);
    const both = args('https://a.example', 'https://b.example');
    const { level, message, remedy } = await patient.check('store-cors', { args: both });
    assert.equal(level, 'warning', message);
    assert.match(message, /no page of https:\/\/b\.example read/);
    assert.match(remedy ?? '', /docs\/storage\.md.*config set s3\.delivery proxy/);
    const any = await patient.check('store-cors', { args: args('*') });
    assert.equal(any.level, 'warning', any.message);
    const console = [...args('https://a.example'), '--public-url', 'https://c.example'];
    assert.match((await patient.check('store-cors', { args: console })).message, /c\.example/);
  });

  test('reports a server with a wrong clock', async (t) => {
    const endpoint = await withClockOff(t, -13 * minuteMs);
    const result = await patient.check('clock-store', { args: ['--s3-endpoint', endpoint] });
    expect(result, /S3 server is 1[23] minutes.* behind/, /timedatectl set-ntp true/);
  });

  test('reports a bucket without the sentinel of the installation', async (t) => {
    const other = await newBucket();
    t.after(() => removeBucket(other));
    const result = await patient.check('sentinel', { args: ['--s3-bucket', other.bucket] });
    expect(result, /not the store of this installation/, /Set the bucket/);
  });
});
