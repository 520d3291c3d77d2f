import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openBucket, type BucketConfig } from '../../src/store/s3/bucket.js';
import {
  verifyBackup,
  resultOf,
  scratchUrl,
  type MadeBackup,
  type VerifiedBackup,
} from '../../testkit/backups.js';
import { newHome, start, type Failure } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longOnly } from '../../testkit/long-form.js';
import { newBucket, newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { behindGateway } from '../../testkit/s3-gateway.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const scope = lastFirst({ after });
const objects = newBucketConfig();
const service = await ownService(scope, s3Settings(objects));
scope.after(() => removeBucket(objects));
const album = await service.user();
const scratch = await scratchUrl(scope);
const root = await temporaryDirectory('elsewhere');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };

for (let n = 0; n < 3; n += 1) await album.upload();

const variablesOf = (settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `IMGSTORE_${key.replaceAll('.', '_').toUpperCase()}`,
      value,
    ]),
  );
const keysOf = ({ endpoints, accessKey, secretKey }: BucketConfig) =>
  variablesOf({
    'backup.s3_endpoint': endpoints.join(','),
    'backup.s3_access_key': accessKey,
    'backup.s3_secret_key': secretKey,
  });
const source = { IMGSTORE_DATABASE_URL: url, ...variablesOf(s3Settings(objects)) };
const masterKey = join(service.home.secrets, 'master.key');

/** Restores a backup. @param env settings of the target store. */
async function restored(t: Scope, place: string, env: Record<string, string>): Promise<number> {
  const within = lastFirst(t);
  const home = await newHome(within);
  const { url: database } = await blankDatabase(within);
  const words = ['restore', place, '--home', home.dir, '--master-key-file', masterKey, '--json'];
  const run = hosted(words, { env: { ...env, IMGSTORE_DATABASE_URL: database } });
  const { ok, objects: count } = await resultOf<{ ok: boolean; objects: number }>(run);
  assert.equal(ok, true);
  return count;
}

// test/backup/restore.test.ts also restores from a directory.

describe('a backup of objects in S3', () => {
  const on = ['--home', service.home.dir, '--json'];

  test('to a directory, verified, and restored to another bucket', longOnly, async (t) => {
    const dir = join(root, 'directory');
    const made = await resultOf<MadeBackup>(hosted(['backup', dir, ...on], { env: source }));
    assert.equal((await resultOf<VerifiedBackup>(verifyBackup(dir, scratch))).ok, true);
    const other = newBucketConfig();
    lastFirst(t).after(() => removeBucket(other));
    assert.equal(await restored(t, dir, variablesOf(s3Settings(other))), made.objects);
  });

  test('to another bucket with --keep, verified there and restored to a disk', async (t) => {
    const bucket = await newBucket();
    lastFirst(t).after(() => removeBucket(bucket));
    const place = `s3://${bucket.bucket}/main`;
    const keys = keysOf(bucket);
    const env = { ...source, ...keys };
    const made = await resultOf<MadeBackup>(hosted(['backup', place, ...on], { env }));
    await album.upload();
    const next = ['backup', place, '--keep', '1', ...on];
    const later = await resultOf<MadeBackup>(hosted(next, { env }));
    assert.deepEqual([later.objects_reused, later.removed], [made.objects, [made.generation]]);
    const verify = ['verify', 'backup', place, '--scratch', scratch, '--home', root, '--json'];
    assert.equal((await resultOf<VerifiedBackup>(hosted(verify, { env: keys }))).ok, true);
    assert.equal(await restored(t, place, keys), later.objects);
  });

  test('a manifest that is replaced after it was verified is not used', async (t) => {
    const bucket = await newBucket();
    const within = lastFirst(t);
    within.after(() => removeBucket(bucket));
    const read = new Map<string, number>();
    const forged = '0'.repeat(64);
    const gateway = await behindGateway(within, bucket, {
      answer: (answer, { method, url: path }) => {
        if (method !== 'GET' || !path.endsWith('/manifest.ndjson')) return undefined;
        read.set(path, (read.get(path) ?? 0) + 1);
        if (read.get(path) === 1) return undefined;
        const text = String(answer.body).replaceAll(/"[0-9a-f]{64}"/g, `"${forged}"`);
        return { ...answer, body: Buffer.from(text) };
      },
    });
    const place = `s3://${bucket.bucket}/main`;
    const backUp = (at: BucketConfig) =>
      resultOf<MadeBackup>(hosted(['backup', place, ...on], { env: { ...source, ...keysOf(at) } }));
    const first = await backUp(bucket);
    const second = await backUp(gateway);
    assert.equal(second.objects_reused, first.objects);
    const { endpoints, name } = openBucket(bucket);
    const key = `main/generations/${second.generation}/manifest.ndjson`;
    const manifest = await text(await endpoints.call((client) => client.getObject(name, key)));
    assert.ok(manifest.length > 0 && !manifest.includes(forged), manifest);

    read.clear();
    const home = await newHome(within);
    const { url: database } = await blankDatabase(within);
    const words = ['restore', place, '--home', home.dir, '--master-key-file', masterKey, '--json'];
    const restoring = hosted(words, {
      env: { ...keysOf(gateway), IMGSTORE_DATABASE_URL: database },
    });
    const { error } = await resultOf<Failure>(restoring, 1);
    assert.match(error.message, /manifest\.ndjson in .* is not what was written/);
  });

  test('refuses the bucket of the store itself, and a URL without a bucket', async () => {
    const messageOf = async (place: string, env: Record<string, string>): Promise<string> =>
      (await resultOf<Failure>(hosted(['backup', place, ...on], { env }), 2)).error.message;
    assert.match(await messageOf(`s3://${objects.bucket}`, source), /where the objects themselves/);
    assert.match(await messageOf('s3://', source), /is not s3:\/\/BUCKET/);
    const verify = ['verify', 'backup', 's3://some-bucket', '--home', root, '--json'];
    const { error } = await resultOf<Failure>(hosted(verify), 78);
    assert.equal(error.setting, 'backup.s3_endpoint');
  });

  test('as one stream, which tar unpacks into a regular backup', async () => {
    const dir = join(root, 'unpacked');
    await mkdir(dir);
    const backup = start(['backup', '-', '--home', service.home.dir], { env: source });
    const tar = spawn('tar', ['-x', '-C', dir], { stdio: ['pipe', 'inherit', 'inherit'] });
    backup.stdout.pipe(tar.stdin);
    const [[code], [unpacked]] = (await Promise.all([once(backup, 'exit'), once(tar, 'exit')])) as [
      [number],
      [number],
    ];
    assert.deepEqual([code, unpacked], [0, 0]);
    assert.equal((await resultOf<VerifiedBackup>(verifyBackup(dir, scratch))).ok, true);
    const wrong = await hosted(['backup', '-', '--home', service.home.dir, '--json']);
    assert.equal(wrong.code, 2);
  });
});
