import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sweepTemporaryDirectories, temporaryDirectory } from './temporary.js';

test('folders of dead processes are swept, those of running ones are not', async (t) => {
  const mine = await temporaryDirectory('swept');
  t.after(() => rm(mine, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--version']);
  await once(child, 'exit');
  const left = join(tmpdir(), `imgstore-swept-${child.pid}-aaaaaa`);
  const foreign = join(tmpdir(), `imgstore-swept-${child.pid}`);
  for (const dir of [left, foreign]) await mkdir(join(dir, 'store'), { recursive: true });
  t.after(() => rm(foreign, { recursive: true, force: true }));
  await sweepTemporaryDirectories();
  assert.deepEqual([left, mine, foreign].map(existsSync), [false, true, true]);
});
