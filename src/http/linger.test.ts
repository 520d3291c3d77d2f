import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { linger } from './linger.js';

/** A client whose body is refused at once; it may send this much and this long after the answer. */
async function refused(t: TestContext, limits: { bytes: number; ms: number }) {
  const server = createServer((incoming, response) => {
    response.once('finish', () => linger(incoming, limits));
    response.writeHead(413).end();
  }).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST' });
  const broken = new Promise((resolve) => outgoing.once('error', resolve));
  outgoing.flushHeaders();
  await once(outgoing, 'response');
  return { outgoing, broken };
}

test('what comes after an early answer is thrown away', async (t) => {
  const { outgoing } = await refused(t, { bytes: 1024 * 1024, ms: 60_000 });
  outgoing.write(Buffer.alloc(1000 * 1000));
  outgoing.end();
  await once(outgoing, 'close');
});

test('but neither without end nor for ever', async (t) => {
  const flood = await refused(t, { bytes: 1024 * 1024, ms: 60_000 });
  for (let i = 0; i < 64; i += 1) flood.outgoing.write(Buffer.alloc(1024 * 1024));
  await flood.broken;
  const slow = await refused(t, { bytes: 1024 * 1024, ms: 50 });
  slow.outgoing.write('x');
  await slow.broken;
});
