import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { programName, shellWord } from './command-line.js';

const root = mkdtempSync(join(tmpdir(), 'imgstore-name-'));
after(() => rmSync(root, { recursive: true }));

function program(...at: string[]): string {
  const path = join(root, ...at);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}

const clone = program('clone/bin/imgstore');
const usr = join(root, 'usr/bin');
mkdirSync(usr, { recursive: true });
symlinkSync(clone, join(usr, 'imgstore'));
const foreign = program('other/imgstore');

describe('the command that starts the program here', () => {
  for (const [what, path, env, cwd, name] of [
    ['in a clone', clone, { PATH: '' }, 'clone', 'bin/imgstore'],
    ['below the clone', clone, { PATH: '' }, 'clone/docs', clone],
    ['elsewhere', clone, { PATH: '' }, 'usr', clone],
    ['on the path, through a link', clone, { PATH: `/nowhere:${usr}` }, 'usr', 'imgstore'],
    ['another one is on the path', clone, { PATH: join(foreign, '..') }, 'clone', 'bin/imgstore'],
    [
      'in a project that uses it',
      program('project/node_modules/.bin/imgstore'),
      { PATH: join(root, 'project/node_modules/.bin') },
      'project',
      'npx imgstore',
    ],
    ['as set by the script that starts it', clone, { IMGSTORE_PROGRAM: 'store' }, 'clone', 'store'],
    ['inside of another program', '/usr/bin/other.js', { PATH: '' }, 'clone', 'imgstore'],
  ] as const) {
    test(what, () => assert.equal(programName({ path, env, cwd: join(root, cwd) }), name));
  }
});

test('words of a command are quoted if the shell would interpret them', () => {
  assert.equal(shellWord('/var/lib/imgstore'), '/var/lib/imgstore');
  assert.equal(shellWord("a b's"), `'a b'\\''s'`);
  assert.equal(shellWord('$(x)'), `'$(x)'`);
});
