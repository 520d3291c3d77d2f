import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { appliance } from '../../testkit/appliance.js';
import { program } from '../../testkit/command.js';

const options = ['--max-semi-space-size=4', '--single-threaded-gc', '--heap-growing-percent=100'];

/** The options of Node.js in a line that starts it. */
const optionsIn = (line: string | undefined): string[] =>
  (line ?? '').split(/[\s\0]+/).filter((word) => options.includes(word));

test('the program and the Debian package start Node.js with the same options', async () => {
  const [shebang] = (await readFile(program, 'utf8')).split('\n');
  const script = await readFile('packaging/debian/imgstore', 'utf8');
  const line = script.split('\n').find((text) => text.startsWith('program='));
  assert.deepEqual(optionsIn(shebang), options);
  assert.deepEqual(optionsIn(line), options);
});

test('"up" passes them to its service', async () => {
  const serving = await appliance({ after });
  const pid = await serving.servicePid();
  assert.notEqual(pid, serving.pid);
  assert.deepEqual(optionsIn(await readFile(`/proc/${pid}/cmdline`, 'latin1')), options);
});
