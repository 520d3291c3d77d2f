import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** The numbers of link(2) and linkat(2). */
const calls = new Map([
  ['x64', [86, 265]],
  ['arm64', [37]],
]).get(process.arch);
const able = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;
const lacks = calls && able && endianness() === 'LE' ? false : 'no way to refuse hard links here';

/** A filter of system calls by which these fail with EPERM, as on exFAT; see seccomp(2). */
function filterOf(refused: readonly number[]): Buffer {
  const instructions = [
    [0x20, 0, 0, 0], // load the number of the call
    ...refused.map((call, i) => [0x15, refused.length - i, 0, call]), // is it one of these?
    [0x06, 0, 0, 0x7fff_0000], // allow
    [0x06, 0, 0, 0x0005_0001], // fail with EPERM
  ];
  const filter = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code = 0, yes = 0, no = 0, value = 0], i) => {
    filter.writeUInt16LE(code, i * 8);
    filter.set([yes, no], i * 8 + 2);
    filter.writeUInt32LE(value, i * 8 + 4);
  });
  return filter;
}

/** Runs a program without hard links. */
async function withoutLinks(dir: string, program: string, ...args: string[]) {
  await writeFile(join(dir, 'filter'), filterOf(calls ?? []));
  const filter = await open(join(dir, 'filter'));
  const child = spawn('bwrap', ['--dev-bind', '/', '/', '--seccomp', '3', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', filter.fd],
    // Otherwise it speaks the language of the runner.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.ok(child.stdout);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  await filter.close();
  return { code: child.exitCode, output };
}

test(
  'a store on a file system without hard links keeps its promises',
  { skip: lacks },
  async (t) => {
    const dir = await temporaryDirectory('linkless');
    t.after(() => rm(dir, { recursive: true }));
    const refused = await withoutLinks(dir, 'ln', join(dir, 'filter'), join(dir, 'other'));
    assert.equal(refused.code, 1, 'ln succeeds');
    for (const file of ['local-store.test.js', '../imaging/orientation.test.js']) {
      const path = fileURLToPath(new URL(file, import.meta.url));
      const { code, output } = await withoutLinks(dir, process.execPath, '--test', path);
      assert.equal(code, 0, output);
    }
  },
);
