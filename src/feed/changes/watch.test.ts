import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSource } from 'typeorm';
import { eventually } from '../../../testkit/eventually.js';
import { testService } from '../../../testkit/service.js';
import { logger } from '../../../testkit/silent-logger.js';
import type { Member } from '../../../testkit/world.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { readWithin } from './events.js';
import { ChangeWatch } from './watch.js';

const service = await testService();
const { tenants } = service.service;

/** A watch of the service's database. @param onPoll runs before each poll. */
function watchOf(onPoll: () => void, log = logger, stopping = new AbortController().signal) {
  const query = async (...[sql, values]: Parameters<DataSource['query']>): Promise<unknown> => {
    if (sql.startsWith('WITH clock')) onPoll();
    return service.db.query(sql, values);
  };
  return new ChangeWatch({ query } as DataSource, tenants.tokens, log, stopping);
}

const feedOf = async ({ id, platformId, token }: Member) => ({
  userId: id,
  platformId,
  reader: await tenants.tokens.verifyAccess(token),
});

test('one poll after the other serves all readers, with a pause in between', async () => {
  const begun: number[] = [];
  const watch = watchOf(() => begun.push(performance.now()));
  const [one, other] = [await service.user(), await service.user()];
  const feed = await feedOf(other);
  await watch.join(await feedOf(one), () =>
    watch.join(feed, () => eventually('it polls', () => begun.length >= 4)),
  );
  const pauses = begun.slice(1).map((time, n) => time - (begun[n] ?? 0));
  assert.ok(Math.min(...pauses) >= 39, `pauses of ${pauses.join(', ')} ms`);
});

test('whenever polls begin to fail, a warning is logged once; then they go on', async () => {
  const fail = [true, true, false, true, false];
  let [polls, warnings] = [0, 0];
  const watch = watchOf(
    () => {
      if (fail[polls++]) throw new Error('no connection');
    },
    { warn: () => (warnings += 1) } as unknown as Logger,
  );
  const user = await service.user();
  await watch.join(await feedOf(user), () => eventually('it polls', () => polls >= fail.length));
  assert.equal(warnings, 2);
});

for (const who of ['client', 'service'] as const) {
  test(`a reader reads no more once its ${who} has gone`, async () => {
    const gone = { client: new AbortController(), service: new AbortController() };
    const watch = watchOf(() => undefined, logger, gone.service.signal);
    const feed = await feedOf(await service.user());
    let reads = 0;
    const options = { ms: 30_000, signal: gone.client.signal };
    const waiting = readWithin(watch, feed, options, async () => {
      reads += 1;
      return { changes: [] };
    });
    await eventually('the first poll has woken it', () => reads === 2);
    gone[who].abort();
    assert.deepEqual(await waiting, { changes: [] });
    assert.equal(reads, 2);
  });
}
