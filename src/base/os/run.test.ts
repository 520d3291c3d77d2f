import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const lower = constants.priority.PRIORITY_BELOW_NORMAL;
const lowest = constants.priority.PRIORITY_LOW;
const skip = existsSync('/proc/self/task') ? false : 'only Linux has /proc';

/** Prints the priorities of all threads before and after, of a child, and of the session. */
const script = `
  import { execFileSync } from 'node:child_process';
  import { existsSync, readFileSync, readdirSync } from 'node:fs';
  import { stat } from 'node:fs/promises';
  import { getPriority } from 'node:os';
  import { lowerPriority } from '${new URL('run.js', import.meta.url).href}';
  const all = () => [...new Set(readdirSync('/proc/self/task').map((id) => getPriority(Number(id))))];
  const session = () => {
    const file = '/proc/self/autogroup';
    return existsSync(file) ? Number(/-?\\d+$/m.exec(readFileSync(file, 'utf8'))) : undefined;
  };
  const before = [all(), session()];
  lowerPriority();
  await stat('.'); // starts the threads of files
  const child = Number(execFileSync('nice', { encoding: 'utf8' }));
  console.log(JSON.stringify({ before, after: [all(), session()], child }));
`;

interface Printed {
  readonly before: readonly [threads: readonly number[], session?: number];
  readonly after: readonly [threads: readonly number[], session?: number];
  readonly child: number;
}

async function printed(...command: [string, ...string[]]): Promise<Printed> {
  const [file, ...args] = [...command, process.execPath, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(file, args);
  return JSON.parse(stdout) as Printed;
}

describe('a command that lowers its priority', { skip }, () => {
  test('lowers the priority of its threads and children, but not of a session that it does not lead', async () => {
    const { before, after, child } = await printed('env');
    assert.deepEqual(after[0], [lower]);
    assert.equal(child, lower);
    assert.equal(after[1], before[1]);
  });

  test('does not raise a priority that is lower already', async () => {
    const { after, child } = await printed('nice', '-n', String(lowest));
    assert.deepEqual([after[0], child], [[lowest], lowest]);
  });

  test('lowers the priority of its own session', async () => {
    const { before, after } = await printed('setsid', '--wait');
    assert.deepEqual(after[0], [lower]);
    if (before[1] !== undefined) assert.equal(after[1], lower);
  });
});

test('the end of a program that could not be started ends nobody else', async () => {
  const signals = `
    import { spawn } from 'node:child_process';
    import { signalChild } from '${new URL('run.js', import.meta.url).href}';
    const child = spawn('/nonexistent/program').on('error', (error) => console.log(error.code));
    signalChild(child, 'SIGKILL');
  `;
  const args = ['--wait', process.execPath, '--input-type=module', '-e', signals];
  const { stdout } = await promisify(execFile)('setsid', args);
  assert.equal(stdout, 'ENOENT\n');
});
