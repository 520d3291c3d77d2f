import assert from 'node:assert/strict';
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { appliance, type Appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { scrape } from '../../testkit/exposed.js';
import { freePort } from '../../testkit/nginx.js';
import { filePart } from '../../testkit/pictures.js';
import { bothHttpPids, httpPids, killNow } from '../../testkit/processes.js';

type Line = Readonly<Record<string, unknown>>;

/** Requests on a new connection; the next one goes to another process. */
async function ask({ client, user }: Appliance): Promise<void> {
  const headers = { Authorization: `User ${user.token}` };
  const request = get(client.base + user.images, { agent: new Agent(), headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
}

const port = await freePort();
const started = await appliance(
  { after },
  { args: ['--workers', '2', '--metrics-port', String(port)] },
);

test('one scrape has the counts of all processes of a node, including those that have ended', async () => {
  const exposed = () => scrape(`http://127.0.0.1:${port}/metrics`);
  const answered = async (): Promise<number> =>
    (await exposed()).sum('imgstore_http_requests_total', { operation: 'listImages' });
  for (let n = 0; n < 8; n += 1) await ask(started);
  await eventually('both have counted', async () => (await answered()) === 8);
  const before = await exposed();
  for (const process of ['service', 'http-1', 'http-2']) {
    assert.ok(before.sum('process_resident_memory_bytes', { process }) > 0, process);
    assert.ok(before.sum('process_start_time_seconds', { process }) > 0, process);
  }
  assert.equal(before.sum('imgstore_build_info'), 1);

  const [victim] = await bothHttpPids(started.pid);
  killNow(victim);
  await eventually('another takes its place', async () => {
    const now = await httpPids(started.pid);
    return now.length === 2 && !now.some((pid) => pid === victim);
  });
  assert.equal(await answered(), 8);
  for (let n = 0; n < 4; n += 1) await ask(started);
  await eventually('the new one counts as well', async () => (await answered()) === 12);
  const later = await exposed();
  for (const name of [...before.metrics.keys()].filter((metric) => metric.endsWith('_total'))) {
    if (name.startsWith('imgstore_')) assert.ok(later.sum(name) >= before.sum(name), name);
  }
});

test('without a terminal, log entries are JSON and have the id of their request', async () => {
  const { user } = started;
  const lines = (): Line[] =>
    started.log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const id = 'upload-of-nothing';
  const answer = await started.client.post(user.images, {
    as: ['User', user.token],
    form: { image_data: filePart(Buffer.from('no picture')) },
    headers: { 'x-request-id': id },
  });
  assert.equal(answer.status, 400);
  const of = (message: string): Line[] => lines().filter((line) => line.message === message);
  await eventually('both entries are there', () => of('request').some((line) => line.id === id));
  // The request is limited in another process than the one that received it.
  assert.deepEqual(
    of('image rejected').map((line) => line.id),
    [id],
  );
  assert.deepEqual(
    of('serving').map((line) => line.id),
    [undefined],
  );
});
