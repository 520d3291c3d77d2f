import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { imgstore, type Failure, newHome } from '../../testkit/command.js';
import { jpeg } from '../../testkit/pictures.js';
import { mountable, serveWithMount } from './mounted.js';
import { openUpload } from './raw-upload.js';
import { eventually } from '../../testkit/eventually.js';
import { testDatabase } from '../../testkit/database.js';
import { lastFirst } from '../../testkit/scope.js';
import { uploadsIn } from '../../testkit/temporary.js';

const megabyte = 1024 * 1024;

describe('incoming on a file system of its own', { skip: mountable }, async () => {
  const scope = lastFirst({ after });
  const home = await newHome(scope);
  const { url } = await testDatabase(scope);
  await mkdir(home.incoming, { recursive: true });
  const serving = await serveWithMount(scope, {
    home,
    folder: home.incoming,
    megabytes: 24,
    leftovers: ['lost+found/x', '0193b0a2-6f51-7c3e-9d52-0d8a3c1f4b01/original'],
    args: ['--database-url', url, '--limits-min-free-disk-mb', '8'],
  });
  const { user } = serving;
  /** As the service sees it: from outside its mount, the directory is empty. */
  const incoming = `/proc/${serving.pid}/root${home.incoming}`;
  const filler = join(incoming, 'lost+found', 'filler');
  const fill = () => writeFile(filler, Buffer.alloc(17 * megabyte));
  const ready = async () => (await serving.client.raw('GET', '/readyz')).status;
  const becomes = (status: number) =>
    eventually(`readiness becomes ${status}`, async () => (await ready()) === status);

  test('serves, and removes files that a crash left there', async () => {
    assert.deepEqual(await uploadsIn(incoming), ['lost+found']);
    const { status, result } = await user.tryUpload({}, await jpeg());
    assert.equal(status, 200);
    await user.expectBytes(result.id, await jpeg());
    assert.equal(await ready(), 200);
  });

  test('below its threshold: not ready, uploads are 503, everything else works, and free space fixes it', async () => {
    await fill();
    await becomes(503);
    const { error } = await serving.client.get('/readyz');
    assert.deepEqual((error?.details as Record<string, string>).disk, 'down');
    const refused = await user.tryUpload({}, await jpeg());
    assert.deepEqual([refused.status, refused.error?.code], [503, 'unavailable']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(await user.count(), 1);
    const reported = await imgstore([
      'status',
      '--home',
      home.dir,
      '--database-url',
      url,
      '--json',
    ]);
    assert.equal(reported.code, 69);
    assert.match(reported.json<Failure>().error.message, /disk is down/);
    await rm(filler);
    await becomes(200);
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 1 }))).status, 200);
  });

  test('without inodes: not ready although there is space, and uploads are 503', async () => {
    const names = Array.from({ length: 4096 }, (_, i) => join(incoming, 'lost+found', `${i}`));
    const made = await Promise.allSettled(names.map((name) => writeFile(name, '')));
    assert.ok(made.some(({ status }) => status === 'rejected'));
    await becomes(503);
    const { error } = await serving.client.get('/readyz');
    const { incoming: folder, disk, store } = error?.details as Record<string, string>;
    assert.deepEqual([folder, disk, store], ['down', 'ok', 'ok']);
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 2 }))).error?.code, 'unavailable');
    await Promise.all(names.map((name) => rm(name, { force: true })));
    await becomes(200);
    assert.equal((await user.tryUpload({}, await jpeg({ seed: 2 }))).status, 200);
  });

  test('an upload in progress stops at the threshold', async () => {
    const bytes = Buffer.alloc(14 * megabyte, 7);
    const upload = openUpload(serving.url, user, bytes, {
      'transfer-encoding': 'chunked',
    });
    upload.write(0, 1000);
    await eventually('it has begun', async () => (await uploadsIn(incoming)).length > 1);
    await fill();
    await becomes(503);
    upload.write(1000, megabyte);
    const { status, error } = await upload.answer;
    assert.deepEqual([status, error?.code], [503, 'unavailable']);
    upload.request.destroy();
    await rm(filler);
    await eventually('it is cleared away', async () => (await uploadsIn(incoming)).length === 1);
  });

  test('announced lengths count toward the threshold', async () => {
    await becomes(200);
    const upload = openUpload(serving.url, user, Buffer.alloc(20 * megabyte), {
      expect: '100-continue',
    });
    upload.request.flushHeaders();
    const asked = once(upload.request, 'continue').then(() => 'asked for the body');
    const answer = (await Promise.race([upload.answer, asked])) as Awaited<typeof upload.answer>;
    assert.deepEqual([answer.status, answer.error?.code], [503, 'unavailable']);
    upload.request.destroy();
  });
});
