import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { abandonedDirectories, temporaryDirectory } from './temporary.js';

test('directories of dead processes are abandoned, those of running ones are not', async (t) => {
  const mine = await temporaryDirectory('swept');
  t.after(() => rm(mine, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--version']);
  await once(child, 'exit');
  const left = join(tmpdir(), `imgstore-swept-${child.pid}-aaaaaa`);
  const foreign = join(tmpdir(), `imgstore-swept-${child.pid}`);
  for (const dir of [left, foreign]) {
    await mkdir(dir);
    t.after(() => rm(dir, { recursive: true, force: true }));
  }
  const abandoned = await abandonedDirectories();
  assert.deepEqual(
    [left, mine, foreign].map((dir) => abandoned.includes(dir)),
    [true, false, false],
  );
});
