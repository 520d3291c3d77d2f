import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { imgstore, type Failure } from '../../testkit/command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { notifySocket } from '../../testkit/notify-socket.js';
import { serve } from '../../testkit/appliance.js';
import { needs, programs } from '../../testkit/programs.js';

const { home } = await initializedHome({ after });

describe('notifications to the service manager', await needs(programs.systemd), () => {
  test('startup, readiness, keep-alives, missing parts, and shutdown', async (t) => {
    const socket = await notifySocket(t);
    const env = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '400000' };
    const service = await serve(t, home, [], 'serve', { env });
    const serving = `STATUS=Serving at ${service.url}`;
    const start = await socket.until(/READY=1/);
    assert.match(start[0] ?? '', /^STATUS=Starting the database/);
    assert.equal(start.at(-1), `READY=1|${serving}`);
    assert.equal((await socket.until(/WATCHDOG=1/)).at(-1), `WATCHDOG=1|${serving}`);
    await rename(home.store, `${home.store}.away`);
    // A restart would not bring the store back: the service waits for it and keeps running.
    await socket.until(new RegExp(`^WATCHDOG=1\\|${serving}; down: store$`));
    await rename(`${home.store}.away`, home.store);
    await socket.until(new RegExp(`^WATCHDOG=1\\|${serving}$`));
    const ended = service.end();
    await socket.until(/STOPPING=1\|STATUS=Finishing running requests/);
    assert.equal(await ended, 0);
  });

  test('a watchdog for another process gets no keep-alives', async (t) => {
    const socket = await notifySocket(t);
    const env = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '40000', WATCHDOG_PID: '1' };
    const service = await serve(t, home, [], 'serve', { env });
    assert.equal((await imgstore(['status', '--home', home.dir])).code, 0); // takes many watchdog periods
    assert.equal(await service.end(), 0);
    assert.doesNotMatch((await socket.until(/STOPPING=1/)).join('\n'), /WATCHDOG/);
  });

  test('a manager that cannot be notified is an error; otherwise it would wait for the start forever', async () => {
    const { code, json } = await imgstore(['serve', '--home', home.dir, '--port', '0', '--json'], {
      env: { NOTIFY_SOCKET: `${home.dir}/nobody-listens` },
    });
    assert.equal(code, 1);
    assert.match(json<Failure>().error.message, /^Cannot notify the service manager/);
  });
});
