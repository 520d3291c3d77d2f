import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { forEachLimited } from '../../src/base/concurrency.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { start, type Failure, type Ran } from '../../testkit/command.js';
import { bytesOf } from '../../testkit/fetch.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longOnly } from '../../testkit/long-form.js';
import { readPhoto } from '../../testkit/photos.js';
import { jpeg } from '../../testkit/pictures.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';
import { lastFirst } from '../../testkit/scope.js';

const scope = lastFirst({ after });
const bucketConfig = newBucketConfig();
const serving = await appliance(scope);
const { home, user, databaseUrl = '' } = serving;

/** Acknowledged pictures by image id. */
const pictures = new Map<string, Buffer>();
let seed = 0;

async function upload(): Promise<void> {
  const picture = await jpeg({ width: 48, height: 32, seed: (seed += 1) });
  const { status, result, error } = await user.tryUpload({}, picture);
  assert.equal(status, 200, JSON.stringify(error));
  pictures.set(result.id, picture);
}

/** The image whose whole picture was made before the move. */
let whole: { id: string; bytes: Buffer } = { id: '', bytes: Buffer.alloc(0) };

const wholeOf = async (id: string): Promise<Buffer> =>
  bytesOf((await user.image(id)).full_url ?? '');

async function expectAll(): Promise<void> {
  await forEachLimited(pictures, 8, ([id, picture]) => user.expectBytes(id, picture));
  assert.ok(whole.bytes.equals(await wholeOf(whole.id)), 'the whole picture');
}

/** Milliseconds between two rounds of a client, which leave time for the move. */
const pauseMs = 250;

/** Uploads and reads one after another until stopped; each must succeed. */
function keepBusy(): () => Promise<number> {
  let stopped = false;
  let rounds = 0;
  const work = (async () => {
    for (; !stopped; rounds += 1) {
      await upload();
      const [first] = pictures;
      if (first) await user.expectBytes(...first);
      await delay(pauseMs);
    }
  })();
  return async () => {
    stopped = true;
    await work;
    return rounds;
  };
}

const command = (...args: string[]): Promise<Ran> =>
  hosted([...args, '--home', home.dir, '--database-url', databaseUrl, '--json']);

async function verified(): Promise<number> {
  const { code, stdout, json } = await command('verify', 'accounts');
  assert.equal(code, 0, stdout);
  return json<{ objects: number }>().objects;
}

const failureOf = ({ json }: Ran): Failure['error'] => json<Failure>().error;

interface Moved {
  readonly objects_copied: number;
  readonly objects_missing: string[];
}

describe('imgstore store migrate', () => {
  test('asks for a restart if the service does not know the bucket yet', async () => {
    for (let i = 0; i < 10; i += 1) await upload();
    const { id } = await user.upload({}, await readPhoto('grid.heic'));
    whole = { id, bytes: await wholeOf(id) };
    const unset = failureOf(await command('store', 'migrate', '--to', 's3'));
    assert.equal(unset.exit_code, 78);
    assert.match(unset.setting ?? '', /s3\.endpoint/);
    await appendFile(home.configFile, stringify(s3Settings(bucketConfig)));
    scope.after(() => removeBucket(bucketConfig));
    const { message, remedy } = failureOf(await command('store', 'migrate', '--to', 's3'));
    assert.match(message, /does not have the S3 settings/);
    assert.match(remedy ?? '', /restart the service/);
    await serving.restart();
  });

  test('moves everything to S3 while the service is running, even when killed midway', async () => {
    const rest = keepBusy();
    const killed = start([
      'store',
      'migrate',
      '--to',
      's3',
      '--home',
      home.dir,
      '--database-url',
      databaseUrl,
    ]);
    const status = async () => (await command('status')).json<{ store: string }>().store;
    const copying = join(home.dir, 'moving');
    await eventually('objects are copied', async () => existsSync(copying));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    assert.match(await status(), /^local:.*, moving to s3/);
    await expectAll();
    const { code, stdout, json } = await command('store', 'migrate', '--to', 's3');
    const rounds = await rest();
    assert.equal(code, 0, stdout);
    assert.deepEqual(json<Moved>().objects_missing, []);
    assert.ok(rounds > 0);
    assert.match(await status(), /^s3:.*, moved from local/);
    await expectAll();
    await eventually('S3 serves them', async () => {
      const { org_path_url: url } = await user.image([...pictures.keys()][0] ?? '');
      return url.startsWith(bucketConfig.endpoints[0] ?? '-');
    });
    assert.ok((await verified()) >= pictures.size * 2);
  });

  test('keeps the old files until they are cleared; then only the new ones are used', async () => {
    assert.ok((await readdir(home.store)).length > 1);
    const unasked = await command('store', 'clear', '--from', 'local');
    assert.equal(unasked.code, 2, 'nobody said yes');
    const { code, stdout } = await command('store', 'clear', '--from', 'local', '--yes');
    assert.equal(code, 0, stdout);
    const files = await readdir(home.store);
    assert.deepEqual(
      files.filter((name) => name !== '~copies'), // where uploads are tried out
      [],
    );
    await expectAll();
    await verified();
    const left = failureOf(await command('store', 'clear', '--from', 'local', '--yes'));
    assert.equal(left.code, 'nothing_to_do');
  });

  test('moves objects back', longOnly, async () => {
    const rest = keepBusy();
    const { code, stdout, json } = await command('store', 'migrate', '--to', 'local');
    await rest();
    assert.equal(code, 0, stdout);
    assert.ok(json<Moved>().objects_copied > 0);
    assert.equal((await command('store', 'clear', '--from', 's3', '--yes')).code, 0);
    await expectAll();
    await verified();
    const again = failureOf(await command('store', 'migrate', '--to', 'local'));
    assert.deepEqual([again.code, again.setting], ['nothing_to_do', '--to']);
  });

  test('requires a target', async () => {
    assert.equal((await command('store', 'migrate')).code, 2);
    assert.equal((await command('store', 'migrate', '--to', 'tape')).code, 2);
  });
});
