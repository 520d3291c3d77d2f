import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { freePort, startNginx } from '../../testkit/nginx.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after }, { 'limits.max_upload_mb': '4' });
const { url } = service.service;
const user = await service.user();

const megabyte = 1024 * 1024;
/** More than the buffers of both sockets hold. */
const body = Buffer.alloc(16 * megabyte, 'x');

/**
 * Sends a whole request before reading anything, as most clients do. @returns the statuses of all
 * responses, and whether the connection broke.
 */
async function sendThenRead(head: string, content: Uint8Array) {
  const socket = await dial(url);
  let broken = false;
  socket.on('error', () => (broken = true));
  socket.write(head);
  await new Promise<void>((sent) => socket.write(content, () => sent()));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  const answers = answersIn(Buffer.concat(chunks).toString('latin1'));
  return { answers, statuses: answers.map(({ status }) => status), broken };
}

const multipart = 'Content-Type: multipart/form-data; boundary=b';
const authorized = `Authorization: User ${user.token}`;
const cases: [what: string, status: number, line: string, headers: string[]][] = [
  ['without a token', 401, `POST ${user.images}`, [multipart]],
  ["for another's path", 403, 'POST /api/v1/users/other/images', [authorized, multipart]],
  ['to no path', 404, 'POST /nothing', [multipart]],
  ['by a wrong method', 405, 'POST /files/x', [multipart]],
  ['larger than accepted', 413, `POST ${user.images}`, [authorized, multipart]],
  ['of another type', 415, `POST ${user.images}`, [authorized, 'Content-Encoding: gzip']],
  ['with a wrong expectation', 417, `POST ${user.images}`, ['Expect: miracles']],
];

describe('an answer before the end of the body reaches a client that sends everything first', () => {
  for (const version of ['HTTP/1.0', 'HTTP/1.1']) {
    for (const [what, status, line, headers] of cases) {
      if (version === 'HTTP/1.0' && status === 417) continue; // HTTP/1.0 has no expectations
      test(`${version}, a request ${what}`, async () => {
        const lines = [`${line} ${version}`, 'Host: x', 'Connection: close', ...headers];
        const length = status === 415 ? 4 * megabyte : body.length;
        const head = [...lines, `Content-Length: ${length}`, '', ''].join('\r\n');
        for (let n = 0; n < 3; n += 1) {
          const { answers, statuses, broken } = await sendThenRead(head, body.subarray(0, length));
          assert.deepEqual([statuses, broken], [[status], false]);
          assert.equal(answers[0]?.headers.connection, 'close');
        }
      });
    }
  }

  test('one whose chunks are malformed, once and at the end', async () => {
    const lines = [`POST ${user.images} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked'];
    const head = [...lines, multipart, '', ''].join('\r\n');
    const { answers, statuses, broken } = await sendThenRead(head, body); // "xxx" is no length
    assert.deepEqual([statuses.length, broken], [1, false]);
    assert.equal(answers[0]?.headers.connection, 'close');
  });

  test('one that expects 100 Continue gets a final answer, which closes', async () => {
    const lines = [`POST ${user.images} HTTP/1.1`, 'Host: x', 'Expect: 100-continue', multipart];
    const head = [...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n');
    const { answers, statuses, broken } = await sendThenRead(head, body);
    assert.deepEqual([statuses, broken], [[401], false]);
    assert.equal(answers[0]?.headers.connection, 'close');
  });

  test('the connection is usable afterwards if the body is short, else the answer says that it closes', async () => {
    const lines = [`POST ${user.images} HTTP/1.1`, 'Host: x', multipart];
    const next = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const sent = async (length: number) => {
      const head = [...lines, `Content-Length: ${length}`, '', ''].join('\r\n');
      const content = Buffer.concat([body.subarray(0, length), Buffer.from(next)]);
      const { answers, statuses, broken } = await sendThenRead(head, content);
      return [statuses, answers[0]?.headers.connection, broken];
    };
    assert.deepEqual(await sent(64 * 1024), [[401, 200], 'keep-alive', false]);
    assert.deepEqual(await sent(body.length), [[401], 'close', false], 'the rest is no request');
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), body.subarray(0, megabyte)]);
    const parts = Array.from({ length: 16 }, () => [chunk, Buffer.from('\r\n')]).flat();
    const chunked = [...lines, 'Transfer-Encoding: chunked', '', ''].join('\r\n');
    const rest = Buffer.from(`0\r\n\r\n${next}`);
    const ended = await sendThenRead(chunked, Buffer.concat([...parts, rest]));
    assert.deepEqual([ended.statuses, ended.broken], [[401], false]);
    assert.equal(ended.answers[0]?.headers.connection, 'close');
  });
});

test('an upload that the quota refuses is answered before its file is sent', async () => {
  const full = await service.user();
  await full.upload();
  await service.db.query('UPDATE users SET max_storage_bytes = stored_bytes WHERE id = $1', [
    full.id,
  ]);
  const socket = await dial(url);
  const lines = [`POST ${full.images} HTTP/1.1`, 'Host: x', `Authorization: User ${full.token}`];
  socket.write([...lines, multipart, 'Content-Length: 1000000', '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 400 [^]*"storage_quota_exceeded"/);
  socket.destroy();
});

test('behind nginx with its defaults, which close each connection, no answer becomes a 502', async (t) => {
  const port = await freePort();
  const proxied = `proxy_pass ${url}; proxy_http_version 1.0; proxy_set_header Connection close;`;
  const site = `server { listen 127.0.0.1:${port}; client_max_body_size 20m; location / { ${proxied} } }`;
  await startNginx(t, site, port);
  const post = async (): Promise<number> => {
    const sent = request({ port, method: 'POST', path: user.images });
    sent.end(body.subarray(0, 4 * megabyte));
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    return answer.statusCode;
  };
  const statuses: number[] = [];
  const lane = async (): Promise<void> => {
    while (statuses.length < 97) statuses.push(await post());
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  assert.deepEqual(
    statuses.filter((status) => status !== 401),
    [],
  );
});

test('a service that stops while a rejected body still arrives lets its client read the answer', async () => {
  const node = await service.node();
  const socket = connect({ port: Number(new URL(node.url).port), allowHalfOpen: true });
  let broken = false;
  socket.on('error', () => (broken = true));
  const head = `POST ${user.images} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head);
  socket.write(body.subarray(0, megabyte));
  await once(socket, 'readable');
  const stopped = node.stop();
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'end'); // it has half-closed
  await new Promise<void>((sent) => socket.write(body.subarray(megabyte), () => sent()));
  socket.end();
  await Promise.all([closed(socket), stopped]);
  assert.deepEqual([answersIn(text).map(({ status }) => status), broken], [[401], false]);
});
