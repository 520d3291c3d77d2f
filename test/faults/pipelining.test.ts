import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { jpeg, noise } from '../../testkit/pictures.js';
import { answersIn, closed, converse, dial } from '../../testkit/raw.js';
import { descriptorsOf, residentBytes } from './descriptors.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';

const serving = await appliance({ after });
const { user } = serving;
const { url } = serving;
const pid = await serving.servicePid();
const megabyte = 1024 * 1024;

/** Growth of memory tolerated as garbage. */
const flat = 120 * megabyte;

const head = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');
const authorization = `Authorization: User ${user.token}`;

const result = await user.upload({}, await noise(1500));
const { pathname, search } = new URL(result.org_path_url);
const file = pathname + search;
for (let seed = 1; seed < 4; seed += 1) await user.tryUpload({}, await jpeg({ seed }));

describe('pipelined requests on one connection', () => {
  test('a few are answered in order, whatever they request', async () => {
    const paths = ['/livez', file, '/readyz', '/nothing', `${user.images}/count`, '/openapi.json'];
    const wanted = Array.from({ length: 30 }, (_, n) => paths[n % paths.length] as string);
    const text = wanted.map((path, n) => head(path, `X-Request-Id: n${n}`, authorization)).join('');
    const answers = await converse(url, text.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
    assert.deepEqual(
      answers.map(({ headers }) => headers['x-request-id']),
      wanted.map((_, n) => `n${n}`),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 404]));
  });

  test('an upload queued behind another response is accepted when its turn comes', async () => {
    const picture = await noise(600);
    const parts = [
      '--b\r\nContent-Disposition: form-data; name="image_data"; filename="a.png"\r\n\r\n',
      picture.toString('latin1'),
      '\r\n--b--\r\n',
    ].join('');
    const upload = [
      `POST ${user.images} HTTP/1.1`,
      'Host: x',
      authorization,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${parts.length}`,
      'Connection: close',
      '',
      parts,
    ].join('\r\n');
    const answers = await converse(url, head(file) + upload);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  });

  test('an upload with Expect behind another response gets 100 Continue', async () => {
    const socket = await dial(url);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const expecting = [
      'POST /api/v1/auth/refresh HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      'Expect: 100-continue',
      'Content-Length: 2',
      'Connection: close',
      '',
      '',
    ].join('\r\n');
    socket.write(head('/livez') + expecting);
    await eventually('100 Continue is received', async () =>
      text.includes('HTTP/1.1 100 Continue'),
    );
    socket.write('{}');
    await closed(socket);
    assert.deepEqual(
      answersIn(text).map(({ status }) => status),
      [200, 400],
    );
  });

  for (const reads of [true, false]) {
    test(`2,000 for the largest file of the docs, by a client that ${reads ? 'reads' : 'does not read'}: bounded, and leaves nothing behind`, async () => {
      await (await serving.client.raw('GET', '/docs/swagger-ui-bundle.js')).arrayBuffer();
      const [memory, descriptors] = [await residentBytes(pid), await descriptorsOf(pid)];
      const socket = await dial(url);
      let received = 0;
      let text = '';
      if (reads) {
        socket.on('data', (chunk: Buffer) => {
          received += chunk.length;
          text = (text + chunk.toString('latin1').replaceAll(/[^\r\n]{200,}/g, '')).slice(-100_000);
        });
      }
      socket.write(head('/docs/swagger-ui-bundle.js').repeat(2000));
      if (reads) await eventually('the first answer has come', async () => received > 2 * megabyte);
      else await once(socket, 'readable');
      assert.ok((await descriptorsOf(pid)) <= descriptors + 5, 'no descriptors by request');
      assert.equal((await serving.client.raw('GET', '/livez')).status, 200);
      if (reads) {
        await closed(socket);
        assert.match(text, /\r\nConnection: close\r\n/, 'the last answer says so');
      } else socket.destroy();
      await eventually('all is closed', async () => (await descriptorsOf(pid)) <= descriptors + 2);
      const grown = (await residentBytes(pid)) - memory;
      assert.ok(grown < flat, `${Math.round(grown / megabyte)} MB more`);
    });
  }

  for (const [what, path] of [
    ['archives', () => `${user.images}?view_type=list&download=true`],
    ['files', () => file],
  ] as const) {
    test(`500 for ${what} by a client that disconnects: nothing remains open`, async () => {
      const descriptors = await descriptorsOf(pid);
      const memory = await residentBytes(pid);
      const socket = await dial(url);
      socket.write(head(path(), authorization).repeat(500));
      await once(socket, 'readable');
      // After this many requests, every request that could begin would have begun.
      for (let other = 0; other < 20; other += 1) await user.count();
      assert.ok((await descriptorsOf(pid)) <= descriptors + 20, 'one at a time');
      socket.destroy();
      await eventually('all is closed', async () => (await descriptorsOf(pid)) <= descriptors + 2);
      const grown = (await residentBytes(pid)) - memory;
      assert.ok(grown < flat, `${Math.round(grown / megabyte)} MB more`);
    });
  }

  test('a flood whose responses are not read does not accumulate', async () => {
    const socket = await dial(url);
    const memory = await residentBytes(pid);
    const flood = head(file).repeat(5_000);
    const gone = closed(socket);
    for (let sent = 0; sent < 20; sent += 1) {
      if (socket.writable && !socket.write(flood)) {
        await Promise.race([once(socket, 'drain'), gone]);
      }
    }
    const grown = (await residentBytes(pid)) - memory;
    assert.ok(grown < flat, `${Math.round(grown / megabyte)} MB more`);
    socket.destroy();
  });
});
