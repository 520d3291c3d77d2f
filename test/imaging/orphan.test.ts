import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../testkit/eventually.js';
import { isRunning } from '../../testkit/processes.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

test('when the service is killed, the imaging process ends by itself, even during a hang', async (t) => {
  const dir = await temporaryDirectory('orphan');
  t.after(() => rm(dir, { recursive: true }));
  execFileSync('mkfifo', [join(dir, 'hanging')]);
  const host = fileURLToPath(new URL('orphan-host.js', import.meta.url));
  const parent = spawn(process.execPath, [host, join(dir, 'hanging')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const child = Number(line);
  assert.equal(await isRunning(child), true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually('the child ends', async () => !(await isRunning(child)));
});
