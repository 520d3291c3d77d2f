import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { done } from '../../testkit/expect.js';
import { eventually } from '../../testkit/eventually.js';
import { scrape, type Exposed } from '../../testkit/exposed.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';

const token = 'of-prometheus';
const service = await ownService(
  { after },
  { 'metrics.port': '0', 'metrics.token': token, 'limits.max_megapixels': '3' },
);
const { client } = service;
const url = service.service.metricsUrl ?? '';
const user = await service.user(await service.platform('Photos "of" a\\b'));
const as = ['User', user.token] as const;
const exposed = (): Promise<Exposed> => scrape(url, { Authorization: `Bearer ${token}` });

const upload = async (picture: Uint8Array, headers: Record<string, string> = {}) =>
  client.post<Image>(user.images, { as, form: { image_data: filePart(picture) }, headers });

/** The documented rows: name, type, labels, help. */
async function documented(): Promise<string[]> {
  const text = await readFile('docs/metrics.md', 'utf8');
  return text.split('\n').filter((line) => line.startsWith('| `imgstore_'));
}

describe('metrics', () => {
  test('require the token, and are served at one path on a separate port', async () => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    assert.notEqual(new URL(url).port, new URL(client.base).port);
    const statuses = async (path: string, init: RequestInit = {}): Promise<number> => {
      const answer = await fetch(new URL(path, url), init);
      await answer.arrayBuffer();
      return answer.status;
    };
    const right = { headers: { Authorization: `Bearer ${token}` } };
    assert.equal(await statuses('/metrics', right), 200);
    assert.equal(await statuses('/metrics?x=1', right), 200);
    assert.equal(await statuses('/metrics'), 401);
    assert.equal(await statuses('/metrics', { headers: { Authorization: 'Bearer of' } }), 401);
    assert.equal(await statuses('/metrics', { ...right, method: 'POST' }), 405);
    assert.equal(await statuses('/', right), 404);
    assert.equal((await fetch(`${client.base}/metrics`)).status, 404);
  });

  test('can be read however many connections another IP opens', async (t) => {
    const port = Number(new URL(url).port);
    const crowd: Socket[] = [];
    t.after(() => crowd.forEach((socket) => socket.destroy()));
    const open = async (): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.on('error', () => undefined).resume();
      crowd.push(socket);
      await once(socket, 'connect');
      return socket;
    };
    const first = await open();
    const ended = once(first, 'close');
    for (let n = 1; n < 40; n += 1) await open();
    assert.ok((await exposed()).has('imgstore_http_requests_in_progress'));
    await ended; // to make room
    assert.ok((await exposed()).has('imgstore_http_requests_in_progress'));
  });

  test('count requests, objects, decoded pictures and calls', async () => {
    const before = await exposed();
    const picture = await jpeg({ width: 1200, height: 900 });
    const key = { 'idempotency-key': 'once' };
    const image = done(await upload(picture, key));
    done(await upload(picture, key));
    assert.equal((await upload(Buffer.from('no picture'))).status, 400);
    assert.equal((await fetch(image.path_url)).status, 200);
    assert.equal((await fetch(image.path_url, { method: 'POST' })).status, 405);
    let now = await exposed();
    const more = (name: string, labels: Record<string, string> = {}): number =>
      now.sum(name, labels) - before.sum(name, labels);
    await eventually('the last request has been counted', async () => {
      now = await exposed();
      return more('imgstore_http_requests_total', { operation: 'files' }) === 2;
    });
    const uploads = (status: string): number =>
      more('imgstore_http_requests_total', { operation: 'uploadImage', status });
    assert.deepEqual([uploads('200'), uploads('400')], [2, 1]);
    const took = 'imgstore_http_request_duration_seconds';
    assert.equal(more(`${took}_count`, { operation: 'uploadImage' }), 3);
    assert.equal(more(`${took}_bucket`, { operation: 'uploadImage', le: '+Inf' }), 3);
    assert.ok(more(`${took}_sum`, { operation: 'uploadImage' }) > 0);
    const stored = { format: 'jpeg', kind: 'image' };
    assert.equal(more('imgstore_upload_bytes_count', stored), 1);
    assert.equal(more('imgstore_upload_bytes_sum', stored), picture.length);
    const outcome = (name: string) => more('imgstore_imaging_images_total', { outcome: name });
    assert.deepEqual([outcome('done'), outcome('refused')], [1, 1]);
    assert.equal(more('imgstore_imaging_cpu_seconds_count', { format: 'jpeg' }), 1);
    assert.equal(more('imgstore_imaging_wait_seconds_count', { class: 'quick' }), 1);
    const keyed = (name: string) => more('imgstore_idempotent_requests_total', { outcome: name });
    assert.deepEqual([keyed('first'), keyed('replayed'), keyed('failed')], [1, 1, 0]);
    assert.equal(more('imgstore_store_call_duration_seconds_count', { call: 'put' }), 1);
    assert.ok(more('imgstore_database_query_duration_seconds_count') > 5);
    assert.equal(now.sum('imgstore_http_requests_in_progress'), 0);
    assert.equal(now.sum('imgstore_uploads'), 0);
    assert.ok(now.sum('imgstore_imaging_resident_memory_bytes') > 1_000_000);
    assert.ok(now.sum('process_resident_memory_bytes', { process: 'service' }) > 1_000_000);
    for (const part of ['database', 'migrations', 'store', 'disk', 'imaging']) {
      assert.equal(now.sum('imgstore_part_up', { part }), 1, part);
    }
  });

  test('have the same number of series whatever clients request', async () => {
    const ask = async (n: number): Promise<void> => {
      await fetch(`${client.base}/no/such/${n}`);
      await fetch(`${client.base}/files/no/such/${n}`);
      await client.get(`${user.images}/${n}`, { as });
    };
    await ask(0);
    await exposed();
    // Jobs that run meanwhile, and types of garbage collection, do not depend on clients.
    const names = async (): Promise<string[]> =>
      [...(await exposed()).series.keys()].filter((name) => /^imgstore_(?!job_)/.test(name));
    const before = await names();
    for (let n = 1; n <= 20; n += 1) await ask(n);
    assert.deepEqual(await names(), before);
  });

  test('include platforms and jobs, with their names', async () => {
    await eventually('the jobs at the start have run', async () => {
      const name = 'imgstore_job_last_success_timestamp_seconds';
      return (await exposed()).has(name, { job_name: 'roll up statistics' });
    });
    const now = await exposed();
    // Cached since the first scrape, when the platform had no images.
    assert.ok(now.has('imgstore_platform_images', { platform: 'Photos \\"of\\" a\\\\b' }));
    // Not the failed ones, too: the figures are those of the process, which other tests share.
    const runs = { job_name: 'roll up statistics', outcome: 'ok' };
    assert.ok(now.sum('imgstore_job_runs_total', runs) > 0);
    assert.ok(now.has('imgstore_job_runs_total', { ...runs, outcome: 'failed' }));
    assert.equal(now.sum('imgstore_webhooks'), 0);
  });

  test('are listed in docs/metrics.md, each with its type, labels, and meaning', async () => {
    const now = await exposed();
    const cell = (text: string): string => text.replaceAll('|', '\\|');
    const row = (name: string, type: string, help: string): string => {
      const of = type === 'histogram' ? `${name}_count` : name;
      const labels = now.labelsOf(of).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${labels.join(', ')} | ${cell(help)} |`;
    };
    const own = [...now.metrics].filter(([name]) => name.startsWith('imgstore_'));
    const rows = own.map(([name, { type, help }]) => row(name, type, help));
    assert.deepEqual((await documented()).sort(), rows.sort());
  });
});

test('without metrics.port, there are none', async (t) => {
  const other = await ownService(t);
  assert.equal(other.service.metricsUrl, undefined);
});

test('a port that is in use is reported with its setting', async (t) => {
  const { port } = new URL(url);
  await assert.rejects(ownService(t, { 'metrics.port': port }), {
    setting: 'metrics.port',
    message: new RegExp(`Port ${port} on 127.0.0.1 is already in use`),
  });
});
