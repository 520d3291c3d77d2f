import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newHome } from '../../testkit/command.js';
import { mountable, serveWithMount } from './mounted.js';
import { eventually } from '../../testkit/eventually.js';

// Where the test runner unpacked one, because the machine has none.
const lent = process.env.IMGSTORE_TEST_ENGINE ?? '';
const engine = existsSync(lent) ? lent : '';

const title = "the database's disk is full: 503, and everything continues once there is space";

test(title, { skip: mountable }, async (t) => {
  const home = await newHome(t);
  await mkdir(home.database, { recursive: true });
  const serving = await serveWithMount(t, {
    home,
    folder: home.database,
    megabytes: 300,
    engine,
  });
  const { child, client, user } = serving;
  const { images } = user;
  const as = ['User', user.token] as const;
  const image = await user.upload();
  const memo = () =>
    client.post(`${images}/${image.id}/memos`, {
      as,
      form: { message: randomBytes(3_000).toString('hex'), is_client: 'False' },
    });
  assert.equal((await memo()).status, 200);

  // Seen from outside its mount, the folder is empty; its own view is in /proc.
  const disk = `/proc/${child.pid}/root${home.database}`;
  const filler = join(disk, 'filler');
  const { bavail, bsize } = await statfs(disk);
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) =>
    assert.equal(error.code, 'ENOSPC'),
  );
  let refused = 0;
  for (let tries = 0; refused < 5 && tries < 300; tries += 1) {
    const { status, error } = await memo();
    if (status === 200) continue;
    assert.equal(`${status} ${error?.code}`, '503 unavailable', serving.log);
    refused += 1;
  }
  assert.equal(refused, 5, 'the disk is full');
  await rm(filler);
  await eventually('memos are stored again', async () => (await memo()).status === 200);
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.equal(child.exitCode, 0);
});
