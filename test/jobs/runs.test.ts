import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { rows } from '../../src/database/sql.js';
import { JobRecords, lastJobRuns, readJobRuns } from '../../src/ops/job-runs.js';
import { eventually } from '../../testkit/eventually.js';
import { ownService } from '../../testkit/service.js';
import { logger } from '../../testkit/silent-logger.js';

const service = await ownService({ after });
const { db } = service;
const records = new JobRecords(db, logger);
const { signal } = new AbortController();

/** Ends in another millisecond than it began: no two runs of a job begin in one. */
async function tick(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await setImmediate();
}
const runsOf = async (name: string) => (await readJobRuns(db)).filter(({ job }) => job === name);

test('a job that no node ran in time runs as soon as one starts', async () => {
  const job = 'forget ended links';
  await rows(db, `INSERT INTO job_runs VALUES ($1, $2, $2, NULL)`, [
    job,
    new Date(Date.now() - 2 * 24 * 3_600_000),
  ]);
  const started = new Date();
  await service.node();
  await eventually('it has run', async () =>
    (await runsOf(job)).some(({ beganAt, endedAt }) => beganAt >= started && endedAt !== null),
  );
});

test('the latest twenty runs of a job are kept, with their ends and errors', async () => {
  for (let n = 0; n < 25; n += 1) await records.recorded('twenty', signal, tick);
  const fails = async () => Promise.reject(new Error('no luck'));
  await assert.rejects(records.recorded('twenty', signal, fails), /no luck/);
  const runs = await runsOf('twenty');
  assert.equal(runs.length, 20);
  assert.deepEqual([runs[0]?.error, runs[1]?.error], ['no luck', null]);
});

test('an interrupted run has no end, and does not count as the last one', async () => {
  await records.recorded('long', signal, tick);
  const stop = new AbortController();
  await records.recorded('long', stop.signal, async () => stop.abort());
  assert.deepEqual(
    (await runsOf('long')).map(({ endedAt }) => endedAt === null),
    [true, false],
  );
  const last = (await lastJobRuns(db)).find(({ job }) => job === 'long');
  assert.equal(last?.endedAt?.getTime(), (await runsOf('long'))[1]?.endedAt?.getTime());
});

test('a run that cannot be recorded runs all the same', async () => {
  await rows(db, 'ALTER TABLE job_runs RENAME TO lost');
  try {
    assert.equal((await records.recorded('any', signal, async () => 7)).result, 7);
  } finally {
    await rows(db, 'ALTER TABLE lost RENAME TO job_runs');
  }
});
