import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { newHome } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { jpeg } from '../../testkit/pictures.js';
import { mountable, serveWithMount } from './mounted.js';
import { uploadsIn } from '../../testkit/temporary.js';

test('a full disk: 503, the service stays up and loses nothing', { skip: mountable }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  await mkdir(home.dir);
  // The whole home is on this disk.
  const { user, child } = await serveWithMount(t, {
    home,
    folder: home.dir,
    megabytes: 6,
    args: ['--database-url', url],
  });
  const upload = async (seed: number, width = 1500) =>
    user.tryUpload({}, await jpeg({ width, height: width, seed }));

  const stored: string[] = [];
  let refused = 0;
  for (let seed = 0; refused < 3 && seed < 60; seed += 1) {
    const { status, error, result, headers } = await upload(seed);
    if (status === 200) stored.push(result.id);
    else {
      assert.deepEqual([status, error?.code], [503, 'unavailable']);
      assert.ok(Number(headers.get('retry-after')) > 0);
      refused += 1;
    }
  }
  assert.ok(stored.length > 0 && refused === 3, `${stored.length} fitted, ${refused} did not`);
  for (const id of stored) assert.equal((await user.get(`/images/${id}`)).status, 200);
  // Seen from outside its mount the folder is empty; its own view is in /proc.
  const inside = `/proc/${child.pid}/root${home.incoming}`;
  assert.deepEqual(await uploadsIn(inside), [], 'what did not fit is cleared away');
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.equal(child.exitCode, 0);
});
