import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../base/errors/catalogue.js';
import { bodyChunks, type BodyLimits } from './multipart.js';

/** A request whose body is sent chunk by chunk. */
async function sending(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST' });
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return { outgoing, incoming };
}

/** The same, and a promise of the total number of bytes read. */
async function reading(t: TestContext, limits: BodyLimits) {
  const { outgoing, incoming } = await sending(t);
  let bytes = 0;
  const read = async () => {
    for await (const chunk of bodyChunks(incoming, limits)) bytes += chunk.length;
    return bytes;
  };
  return { outgoing, incoming, read: read(), soFar: () => bytes };
}

const code = (wanted: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === wanted;

test('a body within its limits arrives whole', async (t) => {
  const { outgoing, read } = await reading(t, { bytes: 10, ms: 60_000, per: 'body' });
  outgoing.write('12345');
  outgoing.end('67890');
  assert.equal(await read, 10);
});

test('one byte too many is rejected, and the rest stays unread', async (t) => {
  const { outgoing, incoming, read } = await reading(t, { bytes: 10, ms: 60_000, per: 'body' });
  outgoing.write('12345');
  outgoing.write('678901');
  await assert.rejects(read, code('upload_too_large'));
  assert.equal(incoming.destroyed, false);
  incoming.resume();
  outgoing.end();
  await once(incoming, 'end');
});

test('reading stops when a body does not end in time', async (t) => {
  const { outgoing, incoming, read } = await reading(t, { bytes: 10, ms: 50, per: 'body' });
  outgoing.write('1');
  await assert.rejects(read, code('upload_interrupted'));
  assert.equal(incoming.destroyed, false, 'a response can still be sent');
});

test('a body may take long if it keeps arriving, but not if it stalls', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { outgoing, read, soFar } = await reading(t, { bytes: 100, ms: 1_000, per: 'chunk' });
  let over = false;
  const refused = assert.rejects(read, code('upload_interrupted')).finally(() => (over = true));
  for (let sent = 1; sent <= 5; sent += 1) {
    outgoing.write('x');
    while (soFar() < sent && !over) await setImmediate();
    assert.equal(soFar(), sent);
    t.mock.timers.tick(999);
  }
  t.mock.timers.tick(1);
  await refused;
});

test('reading ends when the client disconnects', async (t) => {
  const { outgoing, read } = await reading(t, { bytes: 10, ms: 60_000, per: 'chunk' });
  outgoing.destroy();
  await assert.rejects(read, code('upload_interrupted'));
});

test('while its reader is busy, a long body waits on the connection', async (t) => {
  const { outgoing, incoming } = await sending(t);
  const total = 8 * 1024 * 1024;
  outgoing.end(Buffer.alloc(total));
  let arrived = 0;
  incoming.on('data', (chunk: Buffer) => (arrived += chunk.length));
  const chunks = bodyChunks(incoming, { bytes: total, ms: 60_000, per: 'chunk' });
  let bytes = (await chunks.next()).value?.length ?? 0;
  while (!incoming.isPaused()) await setImmediate();
  const waiting = arrived - bytes;
  assert.ok(waiting >= 256 * 1024 && waiting <= 320 * 1024, `${waiting} bytes wait`);
  for await (const chunk of chunks) bytes += chunk.length;
  assert.equal(bytes, total);
});
