import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Client } from '../../testkit/client.js';
import { hosted } from '../../testkit/hosted-command.js';
import { freePort, startNginx } from '../../testkit/nginx.js';
import { filePart, noise } from '../../testkit/pictures.js';
import { converse } from '../../testkit/raw.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';

const port = await freePort();
const site = `http://127.0.0.1:${port}`;
const settings = {
  trust_proxy: '1',
  public_url: site,
  'files.accel': '/_imgstore/',
  'cors.origins': 'https://app.example',
} as const;
const flags = Object.entries(settings).flatMap(([key, value]) => [
  `--${key.replaceAll(/[._]/g, '-')}`,
  value,
]);
const service = await ownService({ after }, settings);
const { host } = new URL(service.client.base);
const { code, stdout } = await hosted([
  'proxy-config',
  'nginx',
  '--home',
  service.home.dir,
  ...flags,
  '--upstream',
  host,
]);
assert.equal(code, 0);
await startNginx({ after }, stdout, port);

const picture = await noise(900);
const user = await service.user();
const { result } = await new Client(site).post<Image>(user.images, {
  as: ['User', user.token],
  form: { image_data: filePart(picture) },
});
const { pathname, search } = new URL(result.org_path_url);
const path = pathname + search;
const key = pathname.slice('/files/'.length);
const etag = `"${key}"`;

const get = (headers: Record<string, string> = {}, method = 'GET', base = site) =>
  fetch(base + path, { headers, method });

/** Headers that must be the same whether nginx or imgstore sends the bytes. */
const shown = ({ headers, status }: Response) => {
  const own = new Map(headers);
  for (const name of [
    'date',
    'connection',
    'keep-alive',
    'server',
    'x-request-id',
    'cache-control',
  ]) {
    own.delete(name);
  }
  if (status === 206) own.delete('accept-ranges'); // nginx omits it there
  return { status, headers: Object.fromEntries([...own].sort()) };
};

/** The response of imgstore itself to a request as nginx passes it on. */
const fromNode = async (...lines: string[]) => {
  const head = [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, 'Connection: close', '', ''];
  const [answer] = await converse(service.client.base, head.join('\r\n'));
  assert.ok(answer);
  return answer;
};

describe('behind nginx with files.accel', () => {
  test('imgstore delegates what nginx may send, and answers all other requests itself', async () => {
    const offer = 'X-Sendfile-Type: X-Accel-Redirect';
    const handed = async (...lines: string[]) => {
      const { status, headers, body } = await fromNode(...lines);
      return [status, headers['x-accel-redirect'] ?? null, body.length];
    };
    const location = `/_imgstore/${key}`;
    const bytes = picture.length;
    assert.deepEqual(await handed(offer), [200, location, 0]);
    assert.deepEqual(await handed(offer, 'Range: bytes=1-2'), [200, location, 0]);
    assert.deepEqual(await handed(offer, 'If-None-Match: "other"'), [200, location, 0]);
    assert.deepEqual(await handed(offer, `If-None-Match: ${etag}`), [304, null, 0]);
    for (const whole of ['bytes=5-4', 'bytes=0-1,5-6', 'lines=1-2']) {
      assert.deepEqual(await handed(offer, `Range: ${whole}`), [200, null, bytes], whole);
    }
    assert.equal((await fromNode(offer, 'Range: bytes=999999999-')).status, 416);
    assert.deepEqual(await handed(offer, `If-Match: ${etag}`), [200, null, bytes]);
  });

  test('a client that connects without nginx gets the bytes', async () => {
    for (const lines of [
      [],
      ['X-Forwarded-For: 192.0.2.1'],
      ['X-Sendfile-Type: X-Sendfile'],
      ['X-Sendfile-Type: X-Accel-Redirect', 'X-Sendfile-Type: X-Accel-Redirect'],
    ]) {
      const { headers, body } = await fromNode(...lines);
      assert.equal(headers['x-accel-redirect'], undefined, lines.join());
      assert.equal(body.length, picture.length);
    }
  });

  test('nginx sends the same bytes and headers as imgstore', async () => {
    const cases: [Record<string, string>, number, string?][] = [
      [{}, 200],
      [{ origin: 'https://app.example' }, 200],
      [{ range: 'bytes=10-19' }, 206],
      [{ range: 'bytes=-7' }, 206],
      [{ range: 'bytes=100-' }, 206],
      [{ range: 'bytes=-99999999' }, 206],
      [{ range: 'bytes=0-1,5-6' }, 200],
      [{ range: 'bytes=5-4' }, 200],
      [{ range: 'bytes=999999999-' }, 416],
      [{ 'if-range': etag, range: 'bytes=10-19' }, 206],
      [{ 'if-range': '"other"', range: 'bytes=10-19' }, 200],
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
      [{ 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 304],
      [{ 'if-modified-since': 'Fri, 01 Jan 1999 00:00:00 GMT' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-unmodified-since': 'Fri, 01 Jan 1999 00:00:00 GMT' }, 412],
      [{}, 200, 'HEAD'],
      [{ range: 'bytes=0-1' }, 200, 'HEAD'],
      [{ 'if-none-match': etag }, 304, 'HEAD'],
    ];
    for (const [headers, status, method] of cases) {
      const what = `${method} ${JSON.stringify(headers)}`;
      const [proxied, direct] = [
        await get(headers, method),
        await get(headers, method, service.client.base),
      ];
      assert.equal(proxied.status, status, what);
      assert.match(proxied.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/, what);
      if (status < 400) {
        assert.match(
          proxied.headers.get('cache-control') ?? '',
          /^private, max-age=\d+, immutable$/,
        );
      }
      assert.equal(proxied.headers.get('x-accel-redirect'), null, what);
      assert.deepEqual(shown(proxied), shown(direct), what);
      const [ours, theirs] = [await direct.arrayBuffer(), await proxied.arrayBuffer()];
      if (status < 400) assert.ok(Buffer.from(ours).equals(Buffer.from(theirs)), what);
    }
    assert.ok(Buffer.from(await (await get()).arrayBuffer()).equals(picture));
  });

  test('headers of clients do not reach imgstore, and clients cannot request the location', async () => {
    const claimed = await get({ 'x-sendfile-type': 'X-Accel-Redirect' });
    assert.ok(Buffer.from(await claimed.arrayBuffer()).equals(picture));
    for (const target of [
      `/_imgstore/${key}`,
      `/_imgstore/${key}${path.slice(path.indexOf('?'))}`,
    ]) {
      const foreign = await fetch(site + target);
      assert.equal(foreign.status, 404);
      const { error } = (await foreign.json()) as { error: { code: string } };
      assert.equal(error.code, 'not_found');
    }
    const tampered = await fetch(site + path.slice(0, -1));
    assert.equal(tampered.status, 403);
  });

  test('imgstore answers if nginx finds no file', async () => {
    const file = join(service.home.store, key);
    await rename(file, `${file}.away`);
    const gone = await get();
    await rename(`${file}.away`, file);
    assert.equal(gone.status, 404);
    const { error } = (await gone.json()) as { error: { code: string } };
    assert.equal(error.code, 'not_found');
  });
});
