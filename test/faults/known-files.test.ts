import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '../../testkit/eventually.js';
import { sha256 } from '../../testkit/fetch.js';
import { noise } from '../../testkit/pictures.js';
import { answersIn, closed, dial } from '../../testkit/raw.js';
import { appliance } from '../../testkit/appliance.js';
import { temporaryDirectory, uploadsIn } from '../../testkit/temporary.js';
import { descriptorsOf } from './descriptors.js';
import { SlowLine } from './slow-line.js';

const run = promisify(execFile);
const serving = await appliance({ after });
const { home, user } = serving;
const pid = await serving.servicePid();
const megabyte = 2 ** 20;

/** 25 MB. */
const bytes = await noise(2_958);
const hash = sha256(bytes);
const dir = await temporaryDirectory('known');
after(() => rm(dir, { recursive: true }));
const path = join(dir, 'known.png');
await writeFile(path, bytes);
const key = 'known';

/** Of a client that stops sending, what buffers of sockets held by then. */
const buffered = 9 * megabyte;
/** Such that sending all of it takes ten seconds, its answer a moment. */
const slow = (t: TestContext) => SlowLine.to(t, serving.url, 2.5 * megabyte);

const headers = { Authorization: `User ${user.token}`, 'Idempotency-Key': key };

/** Uploads the file with curl. @returns the status, and the bytes that it has sent of the body. */
async function curl(base: string, ...more: string[]) {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await run('curl', [
    '-sS',
    '-o',
    `${path}.answer`,
    '-w',
    '%{http_code} %{size_upload} %{num_connects}',
    ...given,
    ...more,
    '-F',
    `image_data=@${path}`,
    `${base}${user.images}`,
  ]);
  const [status, sent] = stdout.split(' ').map(Number);
  return { status, sent: sent ?? NaN };
}

async function withFetch(base: string) {
  const form = new FormData();
  form.set('image_hash', hash);
  form.set('image_data', new Blob([Uint8Array.from(bytes)]), 'known.png');
  const answer = await fetch(base + user.images, {
    method: 'POST',
    body: form,
    headers,
  });
  const { result } = (await answer.json()) as { result: { hashdata: string } };
  return [answer.status, answer.headers.get('idempotency-replayed'), result.hashdata];
}

describe('a picture of 25 MB that is known', () => {
  before(async () => {
    assert.equal((await curl(serving.url)).status, 200);
  });

  test('without Expect: curl stops at the answer', async (t) => {
    const line = await slow(t);
    const { status } = await curl(line.url, '-H', 'Expect:', '-F', `image_hash=${hash}`);
    assert.equal(status, 200);
    assert.ok(line.sent < buffered, `${line.sent} bytes`);
  });

  test('with Expect and image_hash before the file: curl stops at the answer', async (t) => {
    const line = await slow(t);
    assert.equal((await curl(line.url, '-F', `image_hash=${hash}`)).status, 200);
    assert.ok(line.sent < buffered, `${line.sent} bytes`);
  });

  test('fetch gets the answer and stops, too', async (t) => {
    const line = await slow(t);
    assert.deepEqual(await withFetch(line.url), [200, 'true', hash]);
    assert.ok(line.sent < buffered, `${line.sent} bytes`);
    assert.equal((await fetch(`${line.url}/livez`)).status, 200, 'on another connection');
    assert.equal(line.connections, 2);
  });

  const head = (...more: string[]): string =>
    [
      `POST ${user.images} HTTP/1.1`,
      'Host: x',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${bytes.length}`,
      ...more,
      '',
      '',
    ].join('\r\n');
  const form =
    `--b\r\nContent-Disposition: form-data; name="image_hash"\r\n\r\n${hash}\r\n` +
    '--b\r\nContent-Disposition: form-data; name="image_data"; filename="a.png"\r\n\r\n';
  /** Of the length announced. */
  const body = Buffer.concat([Buffer.from(form), bytes]).subarray(0, bytes.length);

  test('a client that sends everything before it reads gets the answer; what follows is no request', async () => {
    const socket = await dial(serving.url);
    let broken = false;
    socket.on('error', () => (broken = true));
    socket.write(head());
    await new Promise((sent) => socket.write(body, sent));
    await new Promise((sent) => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', sent));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await closed(socket);
    const answers = answersIn(text);
    assert.deepEqual([answers.map(({ status }) => status), broken], [[200], false]);
    assert.equal(answers[0]?.headers.connection, 'close');
  });

  test('many at once, of clients that stop, go on, wait, or leave: nothing stays open', async () => {
    const descriptors = await descriptorsOf(pid);
    const one = async (n: number): Promise<void> => {
      const socket = await dial(serving.url);
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      socket.write(n % 2 === 0 ? head('Expect: 100-continue') : head());
      if (n % 4 === 0) socket.destroy(); // leaves at once
      if (n % 4 === 1) socket.write(body); // goes on
      if (n % 4 === 2) socket.write(form); // waits for an answer
      if (n % 4 === 3) socket.write(body.subarray(0, megabyte)); // stops halfway
      socket.once('end', () => n % 4 !== 1 && socket.end());
      await closed(socket);
      if (n % 4 === 0) return;
      assert.deepEqual(
        answersIn(text).map(({ status }) => status),
        [200],
      );
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => one(n)));
    await eventually('all is closed', async () => (await descriptorsOf(pid)) <= descriptors + 2);
    assert.deepEqual(await uploadsIn(home.incoming), []);
    assert.equal(await user.count(), 1);
  });
});
