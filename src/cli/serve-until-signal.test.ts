import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { notifySocket } from '../../testkit/notify-socket.js';
import { needs, programs } from '../../testkit/programs.js';
import { ServiceManager } from './serve-until-signal.js';

test(
  'no keep-alives while a part of the service itself is down or it does not answer',
  await needs(programs.systemd),
  async (t) => {
    const socket = await notifySocket(t);
    let imaging = 'ok';
    const server = createServer((_request, response) => {
      response.end(JSON.stringify({ parts: { database: 'ok', imaging } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const manager = new ServiceManager({ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '200000' });
    t.after(() => manager.stopping());
    await manager.ready(`http://127.0.0.1:${port}`);
    await socket.until(/^WATCHDOG=1/);
    imaging = 'down';
    await socket.until(/^STATUS=.*; down: imaging$/);
    imaging = 'ok';
    await socket.until(/^WATCHDOG=1/);
    server.close();
    server.closeAllConnections();
    await socket.until(/^STATUS=.*; down: api$/);
  },
);
