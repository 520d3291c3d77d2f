import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { closeWorkplace } from '../../scripts/testing/workplace.js';
import { eventually } from '../../testkit/eventually.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const nginx = new URL('../../testkit/nginx.js', import.meta.url).href;

/** A test that starts an nginx, and never ends. */
const script = `
  import { freePort, startNginx } from '${nginx}';
  const port = await freePort();
  await startNginx({ after: () => undefined }, 'server { listen 127.0.0.1:' + port + '; }', port);
  console.log(port);
  setInterval(() => undefined, 1_000);
`;

const listens = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

test('a stopped run ends the nginx of a test that was killed', async (t) => {
  const folder = await temporaryDirectory('t');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await listens(Number(line)), true, 'nobody was there to end it');
  await closeWorkplace(folder);
  await eventually('it is gone', async () => !(await listens(Number(line))));
  assert.equal(existsSync(folder), false);
});
