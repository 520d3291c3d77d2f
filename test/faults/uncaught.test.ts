import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { newHome } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { jpeg } from '../../testkit/pictures.js';
import { serve, type Appliance } from '../../testkit/appliance.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { halfAnUpload } from './half-upload.js';
import { allGone, killNow, startsOf } from '../../testkit/processes.js';
import { eventually } from '../../testkit/eventually.js';
import type { Member } from '../../testkit/world.js';

const thrower = new URL('throw-outside.js', import.meta.url).href;
const env = { NODE_OPTIONS: `--import ${thrower}` };

const scope = lastFirst({ after });
const home = await newHome(scope);
const { url } = await testDatabase(scope);

/** The service, which throws an uncaught error on SIGUSR2. */
const begin = (command: 'serve' | 'up', parent: Scope): Promise<Appliance> =>
  serve(parent, home, ['--database-url', url], command, { env });

// All tests use one home, one after another.
describe('an uncaught error', () => {
  let user: Member;

  test('"up" restarts the service at the same URL, and prints nothing more', async (t) => {
    const serving = await begin('up', t);
    user = serving.user;
    let printed = '';
    serving.child.stdout.on('data', (chunk: string) => (printed += chunk)).resume();
    const pids = new Set<number>();
    for (const signal of ['SIGUSR2', 'SIGKILL'] as const) {
      const pid = await serving.servicePid();
      pids.add(pid);
      assert.notEqual(pid, serving.pid);
      process.kill(pid, signal);
      await eventually('another one serves', async () => {
        const found = await serving.servicePid().catch(() => pid);
        const answer = await serving.client.raw('GET', '/readyz').catch(() => undefined);
        return found !== pid && answer?.status === 200;
      });
    }
    pids.add(await serving.servicePid());
    assert.equal(pids.size, 3);
    assert.equal((await user.tryUpload()).status, 200);
    const running = startsOf(await serving.processes());
    assert.equal(await serving.end('SIGINT', true), 0, serving.log);
    assert.ok(allGone(running));
    assert.equal(printed, '');
    assert.match(serving.log, /restarting it/);
  });

  test('is logged with its stack; running work is finished, and the service exits with 1', async (t) => {
    const serving = await begin('serve', t);
    const { finish } = await halfAnUpload(serving, await jpeg({ width: 1500 }), user);
    const ended = once(serving.child, 'exit');
    process.kill(serving.pid, 'SIGUSR2');
    const { status, headers } = await finish();
    assert.deepEqual([status, headers.connection], [200, 'close']);
    assert.deepEqual(await ended, [1, null]);
    assert.match(
      serving.log,
      /thrown by a test, outside of everything\\n +at .*throw-outside.*"message":"uncaught"/,
    );
  });

  test('the service does not outlive "up"', async (t) => {
    const serving = await begin('up', t);
    const running = startsOf(await serving.processes());
    assert.ok(running.size >= 3);
    killNow(serving.pid);
    await eventually('all have ended', async () => allGone(running));
  });
});
