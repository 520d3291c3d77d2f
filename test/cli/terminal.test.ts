import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { temporaryDirectory } from '../../testkit/temporary.js';

const program = join(process.cwd(), 'bin/imgstore');

async function shell(script: string) {
  const child = spawn('bash', ['-c', script, 'bash', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number];
  const [stdout, stderr] = await read;
  return { code, stdout, stderr };
}

test('a result that cannot be written is a failure in one line', async () => {
  const { code, stderr } = await shell('"$1" --version > /dev/full');
  assert.equal(code, 1);
  assert.match(stderr, /^Error: The result cannot be written: ENOSPC: no space left[^\n]*\n$/);
  const both = await shell('"$1" --version > /dev/full 2>&1');
  assert.deepEqual([both.code, both.stdout], [1, '']);
  const pipe = await shell('set -o pipefail; "$1" help settings | true');
  assert.deepEqual([pipe.code, pipe.stderr], [0, '']);
});

test('a working directory that is gone matters to relative paths alone, and is named', async () => {
  const folder = await temporaryDirectory('gone');
  const there = (words: string) => shell(`cd '${folder}' && rmdir '${folder}' && "$1" ${words}`);
  const { code, stderr } = await there('--version');
  assert.deepEqual([code, stderr], [0, '']);
  await mkdir(folder);
  const relative = await there('config show --home x');
  assert.equal(relative.code, 1);
  assert.match(
    relative.stderr,
    /^Error: The working directory has been deleted\.\n {2}Remedy: [^\n]+\n$/,
  );
  await rmdir(folder).catch(() => undefined);
});
