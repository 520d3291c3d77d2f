import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pngOfSize } from '../../testkit/bombs.js';
import { Studio } from './support.js';

/** 100 megapixels, about half a second of CPU time. */
const side = 10_000;
const picture = pngOfSize(side, side);
const maxPixels = 1e9;
const core = ['--cpu-list', '0'];
const rivalCount = 3;

/** Of a process with all its threads, in seconds. */
const cpuSecondsOf = (pid: number): number => {
  // Fields are counted after the name, which may contain anything but ends at the last parenthesis.
  const [, fields = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? NaN) + (system ?? NaN)) / 100;
};

test('an image that is slow because the machine is busy does not time out', async (t) => {
  const calm = await Studio.open({ threads: 1, maxPixels });
  const used = () => cpuSecondsOf(calm.pid);
  const before = used();
  await calm.process('calm', picture);
  const timeoutMs = 5000 * (used() - before); // a core that is shared takes longer for the same work
  await calm.queue.close();

  const busy = await Studio.open({ threads: 1, maxPixels, timeoutMs });
  execFileSync('taskset', ['--all-tasks', '--pid', ...core, `${busy.pid}`]);
  const rivals = Array.from({ length: rivalCount }, () =>
    spawn('taskset', [...core, 'sh', '-c', 'echo; while :; do :; done'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // the processes of a session share what one of another has
    }),
  );
  try {
    await Promise.all(rivals.map(({ stdout }) => once(stdout, 'data'))); // all of them run
    const start = performance.now();
    assert.equal((await busy.process('busy', picture)).width, side);
    const taken = performance.now() - start;
    t.diagnostic(`${taken} ms on the wall, with a limit of ${timeoutMs} ms`);
    assert.ok(taken > timeoutMs, 'or else nothing is shown');
  } finally {
    for (const rival of rivals) {
      const ended = once(rival, 'exit');
      rival.kill('SIGKILL');
      await ended;
    }
  }
});
