import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { eventually } from '../../testkit/eventually.js';
import { Client } from '../../testkit/client.js';
import { hosted } from '../../testkit/hosted-command.js';
import { freePort, startNginx } from '../../testkit/nginx.js';
import { joinedHome } from '../../testkit/nodes.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { serve } from '../../testkit/appliance.js';
import { readZip } from '../../testkit/zip.js';

const port = await freePort();
const site = `http://127.0.0.1:${port}`;
const settings = {
  trust_proxy: '1',
  public_url: site,
  'limits.max_upload_mb': '1',
  'rate_limit.failed_auth': '3',
};
const flags = Object.entries(settings).flatMap(([key, value]) => [
  `--${key.replaceAll(/[._]/g, '-')}`,
  value,
]);

const first = await ownService({ after }, settings);
const { url } = first.db.options as { url: string };
const second = await serve({ after }, await joinedHome({ after }, first.home), [
  '--database-url',
  url,
  ...flags,
]);
const hostOf = (base: string): string => new URL(base).host;

/** What `imgstore proxy-config nginx` prints for these nodes. */
async function printed(upstreams: readonly string[]): Promise<string> {
  const nodes = upstreams.flatMap((upstream) => ['--upstream', upstream]);
  const args = ['proxy-config', 'nginx', '--home', first.home.dir, ...flags, ...nodes];
  const { code, stdout } = await hosted(args);
  assert.equal(code, 0);
  return stdout;
}

const nodes = [first.client.base, second.client.base].map(hostOf);
await startNginx({ after }, await printed(nodes), port);

const client = new Client(site);
const user = await first.user();
const as = ['User', user.token] as const;

const upload = (picture: Uint8Array) =>
  client.post<Image>(user.images, { as, form: { image_data: filePart(picture) } });

/** An incompressible picture of this many bytes plus a header. */
const tiff = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'teal' } })
    .tiff({ compression: 'none' })
    .toBuffer();

describe('behind nginx', () => {
  test('an upload just below the limit is accepted; its files support ranges', async () => {
    const picture = await tiff(590);
    assert.ok(picture.length < 1024 ** 2 && picture.length > 0.99 * 1024 ** 2);
    const { status, result } = await upload(picture);
    assert.equal(status, 200);
    assert.ok(result.org_path_url.startsWith(`${site}/`));
    const whole = Buffer.from(await (await fetch(result.org_path_url)).arrayBuffer());
    assert.ok(whole.equals(picture));
    const part = await fetch(result.org_path_url, { headers: { range: 'bytes=10-19' } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${picture.length}`);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(picture.subarray(10, 20)));
  });

  test('imgstore rejects one above it, nginx one far above, both with the same envelope', async () => {
    const near = await upload(await tiff(600));
    assert.deepEqual([near.status, near.error?.code], [413, 'upload_too_large']);
    assert.ok(near.headers.has('x-request-id'), 'the answer of imgstore');
    const far = await upload(await tiff(1200));
    assert.deepEqual([far.status, far.status_code], [413, 413]);
    assert.deepEqual([far.error?.code, far.result], ['upload_too_large', null]);
    assert.ok(!far.headers.has('x-request-id'), 'the answer of nginx');
  });

  test('errors of the API pass unchanged', async () => {
    const nowhere = await client.get('/api/v1/nowhere');
    assert.deepEqual([nowhere.status, nowhere.error?.code], [404, 'not_found']);
    const stranger = await client.get(user.images, { as: ['Platform', 'rubbish'] });
    assert.deepEqual([stranger.status, stranger.error?.code], [401, 'unauthorized']);
    assert.match(stranger.headers.get('www-authenticate') ?? '', /^User realm="imgstore"/);
  });

  test('JSON is compressed, pictures are not', async () => {
    const { result } = await upload(await jpeg());
    const asked = { headers: { 'accept-encoding': 'gzip' } };
    const record = await client.raw('GET', `${user.images}/${result.id}`, { as, ...asked });
    assert.equal(record.headers.get('content-encoding'), 'gzip');
    assert.match(record.headers.get('vary') ?? '', /Accept-Encoding/);
    assert.equal(((await record.json()) as { result: Image }).result.id, result.id);
    const picture = await fetch(result.org_path_url, asked);
    assert.equal(picture.headers.get('content-encoding'), null);
    await picture.arrayBuffer();
  });

  test('an archive streams through', async () => {
    const fields = { created_at: '20250102_120000', address_road: 'Park Lane' };
    const form = { ...fields, image_data: filePart(await jpeg()) };
    assert.equal((await client.post(user.images, { as, form })).status, 200);
    const query = { view_type: 'list', download: 'True', search: 'Park', date: '20250102' };
    const answer = await client.raw('GET', user.images, { as, query });
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.ok(readZip(Buffer.from(await answer.arrayBuffer())).length > 0);
  });

  test('clients are identified by their IP, not by one that they claim', async () => {
    const fail = (from: string, claimed: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: 'User rubbish', 'x-forwarded-for': claimed };
        request(`${site}/api/v1/users/${user.id}`, { localAddress: from, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    const statuses: number[] = [];
    // Each of two nodes allows three, and they take turns.
    for (let i = 0; i < 8; i += 1) statuses.push(await fail('127.0.0.2', `192.0.2.${i}`));
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429, 429]);
    assert.equal(await fail('127.0.0.3', '192.0.2.1'), 401);
  });

  test('a killed node is skipped', async () => {
    const picture = await jpeg({ seed: 7 });
    const { status, result } = await upload(picture);
    assert.equal(status, 200);
    const before = lines();
    for (let i = 0; i < 4; i += 1)
      assert.equal((await client.get(user.images, { as })).status, 200);
    await eventually('the second node had its share', async () => lines() > before);
    await second.end('SIGKILL');
    for (let i = 0; i < 4; i += 1) {
      const answer = await client.get<Image>(`${user.images}/${result.id}`, { as });
      assert.equal(answer.status, 200);
    }
    assert.equal((await upload(await jpeg({ seed: 8 }))).status, 200);
  });

  test('without a running node nginx answers 503 in the envelope', async (t) => {
    const [away, other] = [await freePort(), await freePort()];
    const config = (await printed([`127.0.0.1:${away}`])).replaceAll(`${port}`, `${other}`);
    await startNginx(t, config, other);
    const unreachable = new Client(`http://127.0.0.1:${other}`);
    const { status, error, headers } = await unreachable.get('/livez');
    assert.deepEqual([status, error?.code], [503, 'unavailable']);
    assert.equal(headers.get('retry-after'), '2');
    const statusOf = async (method: string, path: string): Promise<number> =>
      (await unreachable.raw(method, path, { as })).status;
    const one = `/api/v1/users/${user.id}/uploads/1`;
    assert.equal(await statusOf('HEAD', one), 423, 'clients of tus wait');
    assert.equal(await statusOf('HEAD', '/s/secret/uploads/1'), 423);
    assert.equal(await statusOf('PATCH', one), 503);
    assert.equal(await statusOf('HEAD', `/api/v1/users/${user.id}/images`), 503);
  });
});

/** The number of requests that the second node has logged. */
const lines = (): number =>
  second.log.split('\n').filter((line) => line.includes('request')).length;
