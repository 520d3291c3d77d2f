import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { eventually } from '../../testkit/eventually.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { killNow, processStart } from '../../testkit/processes.js';

interface Begun {
  readonly run: ChildProcess;
  readonly folder: string;
  readonly pids: readonly number[];
}

const workplace = new URL('../../scripts/testing/workplace.js', import.meta.url).href;

/**
 * What the test runner does before and after tests, with two processes in separate groups: one found by
 * its environment, as services are, and one by its working directory, as database servers are.
 */
const script = `
  import { spawn } from 'node:child_process';
  import { mkdtempSync } from 'node:fs';
  import { closeWorkplace, openWorkplace } from '${workplace}';
  const folder = await openWorkplace();
  const started = [{}, { env: { PATH: process.env.PATH }, cwd: mkdtempSync(folder + '/data-') }].map(
    (options) => spawn('sleep', ['600'], { ...options, detached: true, stdio: 'ignore' }),
  );
  process.once('SIGTERM', () => closeWorkplace(folder).then(() => process.exit(130)));
  console.log(JSON.stringify({ folder, pids: started.map(({ pid }) => pid) }));
`;

/** @param place the parent of its directory. */
async function begin(t: TestContext, place: string): Promise<Begun> {
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH, TMPDIR: place },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(run.stdout, 'data')) as [Buffer];
  const { folder, pids } = JSON.parse(line.toString()) as Omit<Begun, 'run'>;
  t.after(() => {
    for (const pid of [run.pid, ...pids]) if (pid && isRunning(pid)) killNow(pid);
  });
  assert.ok(pids.every(isRunning));
  return { run, folder, pids };
}

const isRunning = (pid: number): boolean => processStart(pid) !== undefined;

async function assertGone({ folder, pids }: Begun): Promise<void> {
  await eventually('its processes are gone', async () => !pids.some(isRunning));
  assert.equal(existsSync(folder), false);
}

test('a stopped run leaves nothing behind; the next run removes what a killed one left', async (t) => {
  const place = await temporaryDirectory('runner');
  t.after(() => rm(place, { recursive: true, force: true }));
  const killed = await begin(t, place);
  killed.run.kill('SIGKILL');
  await once(killed.run, 'exit');
  assert.ok(killed.pids.every(isRunning), 'nobody was there to end them');

  const stopped = await begin(t, place);
  await assertGone(killed);
  stopped.run.kill('SIGTERM');
  const [code] = (await once(stopped.run, 'exit')) as [number];
  assert.equal(code, 130);
  await assertGone(stopped);
});
