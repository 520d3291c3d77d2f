import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { openBucket } from '../../src/store/s3/bucket.js';
import { appliance, type Appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { longOnly } from '../../testkit/long-form.js';
import { jpeg } from '../../testkit/pictures.js';
import { newBucketConfig, removeBucket, s3Environment } from '../../testkit/s3.js';
import { allGone, bothHttpPids, httpPids, killNow, startsOf } from '../../testkit/processes.js';

/** The status of one request on a new connection; the next one goes to another process. */
async function statusOf(started: Appliance, path: string): Promise<number> {
  const { base } = started.client;
  const headers = { Authorization: `User ${started.user.token}` };
  const request = get(base + path, { agent: new Agent(), headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

/** Waits until each of the connections that go to one process after another is served. */
const allAnswer = (started: Appliance): Promise<void> =>
  eventually('all connections are answered', async () => {
    const statuses = Array.from({ length: 6 }, () =>
      statusOf(started, started.user.images).catch(() => 0),
    );
    return (await Promise.all(statuses)).every((status) => status === 200);
  });

/**
 * Its HTTP processes end with the service, whether it is stopped or killed.
 * @param before what happens at the very last moment.
 */
async function endsWhole(
  started: Appliance,
  signal: 'SIGTERM' | 'SIGKILL',
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  await before();
  const pids = await httpPids(started.pid);
  const running = startsOf(signal === 'SIGTERM' ? await started.processes() : pids);
  process.kill(await started.servicePid(), signal);
  await eventually(`all are gone after ${signal}`, async () => allGone(running));
}

describe('several HTTP processes', { concurrency: 2 }, () => {
  test('a killed one is replaced, no acknowledged upload is lost, and SIGTERM ends all', async (t) => {
    const started = await appliance(t, { args: ['--workers', '2'] });
    const before = await bothHttpPids(started.pid);
    const picture = await jpeg({ width: 1200, height: 900 });
    const uploads = await Promise.all(
      Array.from({ length: 6 }, () => started.user.tryUpload({}, picture)),
    );
    assert.deepEqual(new Set(uploads.map(({ status }) => status)), new Set([200]));
    killNow(before[0]);
    await eventually('another takes its place', async () => {
      const now = await httpPids(started.pid);
      return now.length === 2 && !now.some((pid) => pid === before[0]);
    });
    await allAnswer(started);
    for (const { result } of uploads) await started.user.expectBytes(result.id, picture);
    assert.match(started.log, /an HTTP process ended; starting another/);
    await endsWhole(started, 'SIGTERM', async () => {
      const now = await bothHttpPids(started.pid);
      killNow(now[0]);
      await eventually('another is starting', async () =>
        (await httpPids(started.pid)).some((pid) => !now.includes(pid)),
      );
    });
  });

  test('when the last one dies while another starts, the port stays the same', async (t) => {
    const started = await appliance(t, { args: ['--workers', '2'] });
    const [one, other] = await bothHttpPids(started.pid);
    const db = new pg.Client({ connectionString: started.databaseUrl });
    await db.connect();
    const starting = async (count: number): Promise<boolean> => {
      const sql = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'signing_keys'::regclass`;
      return (await db.query(sql)).rowCount === count;
    };
    try {
      // Whoever starts reads it before it listens.
      await db.query('BEGIN; LOCK TABLE signing_keys');
      killNow(one);
      await eventually('another starts', () => starting(1));
      killNow(other);
      await eventually('two start', () => starting(2));
    } finally {
      await db.end();
    }
    await bothHttpPids(started.pid);
    await allAnswer(started);
  });

  test('all are not ready after a put of one failed, and all are ready again', async (t) => {
    const bucketConfig = newBucketConfig();
    t.after(() => removeBucket(bucketConfig));
    const started = await appliance(t, {
      args: ['--workers', '2'],
      env: s3Environment(bucketConfig),
    });
    await bothHttpPids(started.pid);
    const { endpoints, name } = openBucket(bucketConfig);
    const denyPuts = (prefix: string): Promise<void> => {
      const rule = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject' };
      const Statement = [{ ...rule, Resource: [`arn:aws:s3:::${name}/${prefix}*`] }];
      const policy = JSON.stringify({ Version: '2012-10-17', Statement });
      return endpoints.call((client) => client.setBucketPolicy(name, policy));
    };
    const readiness = async (): Promise<Set<number>> => {
      const statuses: number[] = [];
      // More than there are processes: each connection goes to the next one.
      for (let n = 0; n < 6; n += 1) statuses.push(await statusOf(started, '/readyz'));
      return new Set(statuses);
    };
    assert.deepEqual(await readiness(), new Set([200]));
    await denyPuts('');
    const { status } = await started.user.tryUpload({}, await jpeg());
    assert.equal(status, 503);
    await eventually('none is ready', async () => !(await readiness()).has(200));
    await denyPuts('nothing/');
    await eventually('all are ready', async () => !(await readiness()).has(503));
  });

  test(
    'a rate limit counts the requests of all of them, and kill -9 of the service ends all',
    longOnly,
    async (t) => {
      const args = ['--workers', '2', '--rate-limit-per-token', '12'];
      const started = await appliance(t, { args });
      const statuses: number[] = [];
      const began = performance.now();
      for (let n = 0; n < 30; n += 1) statuses.push(await statusOf(started, started.user.images));
      const allowed = statuses.filter((status) => status === 200).length;
      // Counts take a moment to reach the other process, and every five seconds one more request is allowed.
      const most = 16 + Math.ceil((performance.now() - began) / 5_000);
      assert.ok(allowed >= 12 && allowed <= most, `${allowed} allowed, ${most} at most`);
      assert.ok(statuses.includes(429));
      assert.equal((await httpPids(started.pid)).length, 2);
      await endsWhole(started, 'SIGKILL');
    },
  );
});
