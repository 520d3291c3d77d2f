import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { listen, parserErrorOf } from './server.js';
import { logger } from '../../testkit/silent-logger.js';
import { minuteMs } from '../base/units.js';

test('connections without a request make room for other IPs, those with one do not', async (t) => {
  const options = { host: '127.0.0.1', port: 0, maxConnections: 10, logger };
  const server = await listen((request, response) => {
    if (request.url === '/') response.end('done');
    else response.write('begun');
  }, options);
  t.after(() => server.stop(0));
  const open = async (text = ''): Promise<Socket> => {
    const socket = connect({ port: server.port, host: server.host, localAddress: '127.0.0.2' });
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (text) {
      socket.write(text);
      await once(socket, 'data');
    }
    return socket.resume();
  };
  const busy = await open('GET /slow HTTP/1.1\r\nHost: here\r\n\r\n');
  const idle = await open();
  const ended = once(idle, 'close');
  for (let n = 2; n < 30; n += 1) await open();
  const answer = await fetch(`http://${server.host}:${server.port}/`);
  assert.equal(await answer.text(), 'done');
  await ended;
  assert.equal(busy.closed, false);
});

test('a client that breaks off its upload does not keep a server from stopping', async () => {
  let begun = (): void => undefined;
  const upload = new Promise<void>((resolve) => (begun = resolve));
  const options = { host: '127.0.0.1', port: 0, maxConnections: 10, logger };
  const server = await listen((request) => {
    request.resume().on('error', () => undefined);
    begun();
  }, options);
  const client = connect(server.port, server.host).on('error', () => undefined);
  client.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nhalf');
  await upload;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    client.destroy();
  }, minuteMs);
  const stopped = server.stop(2 * minuteMs);
  // Half-closed, as by a process that ended: the server may still answer.
  client.end();
  client.resume();
  await Promise.all([stopped, once(client, 'close')]);
  clearTimeout(late);
  assert.equal(isLate, false);
});

test('headers that do not arrive are refused; a connection opened in advance is just closed', async (t) => {
  const options = { host: '127.0.0.1', port: 0, maxConnections: 10, headersMs: 500, logger };
  const server = await listen(() => assert.fail('there is no request'), options);
  t.after(() => server.stop(0));
  const heard = async (text: string): Promise<string> => {
    const socket = connect(server.port, server.host);
    if (text) socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  };
  assert.match(await heard('GET / HTTP/1.1\r\nHost: here\r\n'), /^HTTP\/1\.1 408 /);
  assert.equal(await heard(''), '');
});

const refusal = (code: string): string | undefined =>
  parserErrorOf(Object.assign(new Error(code), { code }))?.code;

test('input that Node rejects gets a code of the API; a failed connection gets no response', () => {
  assert.equal(refusal('ERR_HTTP_REQUEST_TIMEOUT'), 'request_timeout');
  assert.equal(refusal('HPE_HEADER_OVERFLOW'), 'headers_too_large');
  assert.equal(refusal('HPE_CHUNK_EXTENSIONS_OVERFLOW'), 'upload_too_large');
  assert.equal(refusal('HPE_INVALID_METHOD'), 'malformed_request');
  const url = parserErrorOf(Object.assign(new Error(), { code: 'HPE_INVALID_URL' }));
  assert.match(url?.message ?? '', /percent-encoded/);
  assert.equal(refusal('ECONNRESET'), undefined);
  assert.equal(refusal('EPIPE'), undefined);
});
