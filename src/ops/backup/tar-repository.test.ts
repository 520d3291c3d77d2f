import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { newHome } from '../../../testkit/command.js';
import { withStream } from './tar-repository.js';

test('what a killed stream left is removed, and never what another process of any container needs', async (t) => {
  const home = await newHome(t);
  const left = join(home.backups, 'stream-1'); // by process 1 of a container; here, 1 always lives
  await mkdir(left, { recursive: true });
  const staged = async () =>
    (await readdir(home.backups)).filter((name) => name !== 'streams.lock');
  await withStream(home, new PassThrough().resume(), async ({ staging }) => {
    assert.equal((await staged()).length, 1, 'the other is gone');
    await writeFile(join(staging, 'needed'), '');
    const again = withStream(home, new PassThrough().resume(), async (second) => {
      assert.notEqual(second.staging, staging);
      assert.equal((await staged()).length, 2);
    });
    await again;
    assert.deepEqual(await readdir(staging), ['needed']);
  });
  assert.deepEqual(await staged(), []);
});
