import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { jpeg } from '../../testkit/pictures.js';
import { balance } from './accounts.js';
import { PeakMemory } from '../../testkit/memory.js';
import { openUpload } from './raw-upload.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { uploadsIn } from '../../testkit/temporary.js';

const started = await appliance({ after });
const { home, url, user, databaseUrl } = started;

const megabyte = 1024 * 1024;
const big = Buffer.alloc(60 * megabyte, 7);
/** Megabytes of uncollected garbage tolerated; a body held in memory would be more. */
const flat = 50;
const chunked = { 'transfer-encoding': 'chunked' };
const asking = { expect: '100-continue' };

const emptied = () =>
  eventually(
    'nothing is left in incoming',
    async () => (await uploadsIn(home.incoming)).length === 0,
  );

describe('a body of 60 MB', () => {
  const cases: [string, Record<string, string>][] = [
    ['with its length', {}],
    ['chunked', chunked],
    ['with its length, after asking', asking],
    ['chunked, after asking', { ...chunked, ...asking }],
  ];
  for (const [how, headers] of cases) {
    test(`${how}: 413, with constant memory, and leaves nothing behind`, async (t) => {
      await user.tryUpload({}, await jpeg()); // allocates the memory that any upload needs
      const memory = await PeakMemory.watch(t, started);
      const upload = openUpload(url, user, big, headers);
      const asks = 'expect' in headers;
      let asked = false;
      if (asks) {
        upload.request.flushHeaders();
        upload.request.once('continue', () => (asked = true));
        await Promise.race([once(upload.request, 'continue'), upload.answer]);
      }
      if (!asks || asked) {
        upload.write(0, big.length);
        upload.end();
      }
      const { status, error } = await upload.answer;
      upload.request.destroy();
      assert.deepEqual([status, error?.code], [413, 'upload_too_large']);
      assert.equal(asked, asks && headers === cases[3]?.[1], 'a known length is refused unasked');
      const { before, peak } = await memory.stop();
      assert.ok(peak - before < flat, `${before} MB grew to ${peak} MB`);
      await emptied();
    });
  }

  test('a client that reads only after sending everything gets its response', async () => {
    const boundary = 'b';
    const head =
      `POST ${user.images} HTTP/1.1\r\nHost: x\r\nAuthorization: User ${user.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="image_data"; filename="a"\r\n\r\n`;
    const chunk = (bytes: Uint8Array) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.pause();
    const send = (bytes: Uint8Array | string) =>
      new Promise<void>((resolve, reject) =>
        socket.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    await send(head);
    await send(chunk(Buffer.from(part)));
    for (let sent = 0; sent < big.length; sent += megabyte) {
      await send(chunk(big.subarray(sent, sent + megabyte)));
    }
    await send(`${chunk(Buffer.from(`\r\n--${boundary}--\r\n`)).toString('latin1')}0\r\n\r\n`);
    const answer = once(socket, 'data') as Promise<[string]>;
    socket.resume();
    assert.match((await answer)[0], /^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

test('a client that disconnects midway leaves nothing behind', async () => {
  const picture = await jpeg({ width: 2000, height: 1500 });
  const upload = openUpload(url, user, picture);
  upload.write(0, picture.length / 2);
  await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > 0);
  upload.request.destroy();
  await emptied();
  const cut = openUpload(url, user, picture);
  cut.write(0, picture.length);
  cut.request.destroy(); // all of the picture, but not the end of the form
  await emptied();
  const whole = await user.tryUpload({}, picture);
  assert.equal(whole.status, 200);
  await emptied();
  await balance(home, databaseUrl);
});

test('a damaged picture is refused and leaves nothing', async () => {
  const count = await user.count();
  const picture = await jpeg({ width: 2000, height: 1500 });
  const { status, error } = await user.tryUpload({}, picture.subarray(0, picture.length / 3));
  assert.deepEqual([status, error?.code], [400, 'corrupt_image']);
  assert.equal(await user.count(), count);
  await emptied();
  assert.equal((await balance(home, databaseUrl)).waiting, 0);
});
