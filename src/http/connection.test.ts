import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { linger } from './connection.js';

const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);

/**
 * A client whose body is rejected immediately, and the limits on what it may still send after the
 * response.
 */
async function refused(t: TestContext, limits: { bytes: number; ms: number }): Promise<Socket> {
  const server = createServer((request, response) => {
    response.once('finish', () => linger(request.socket, request, limits));
    response.writeHead(413, { 'content-length': 0 }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => {
    socket.destroy();
    server.close();
  });
  socket.write(head);
  await once(socket, 'data');
  return socket;
}

test('data after an early response is discarded, and the connection survives', async (t) => {
  const socket = await refused(t, { bytes: 1024 * 1024, ms: 5_000 });
  for (let i = 0; i < 15; i += 1) socket.write(chunk);
  socket.write('0\r\n\r\n');
  socket.write(head);
  await once(socket, 'data');
});

test('data after an early response is limited in size', async (t) => {
  const socket = await refused(t, { bytes: 1024 * 1024, ms: 5_000 });
  let sent = 0;
  while (!socket.destroyed && sent < 20_000) {
    await new Promise((resolve) => socket.write(chunk, resolve));
    sent += 1;
  }
  assert.ok(sent < 20_000, 'the connection closes before the body ends');
});

test('data after an early response is limited in time', async (t) => {
  const socket = await refused(t, { bytes: 1024 * 1024, ms: 50 });
  await new Promise((resolve) => socket.once('close', resolve));
});
