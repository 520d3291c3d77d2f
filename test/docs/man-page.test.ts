import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chapters } from '../../src/cli/commands.js';
import { loadProgram } from '../../src/cli/program.js';
import { optionKeys } from '../../src/base/config/options.js';
import { pages } from '../../scripts/docs.js';

const page = 'man/imgstore.1';

test('man/imgstore.1 matches the commands and settings; "npm run docs" writes it', async () => {
  assert.equal(readFileSync(page, 'utf8'), await pages[page]?.());
});

test('the man page has every command and every setting', async () => {
  const text = readFileSync(page, 'utf8').replaceAll('\\-', '-');
  for (const [command, leaf] of (await loadProgram(chapters)).leaves) {
    const groups: string[] = [];
    for (let group = command.parent; group?.parent; group = group.parent) {
      groups.unshift(`${group.name()} `);
    }
    const title = new RegExp(`^\\.SS imgstore ${groups.join('')}${leaf.name}( |$)`, 'm');
    assert.equal(title.test(text), leaf.hidden !== true, leaf.name);
  }
  for (const key of optionKeys) assert.ok(text.includes(`\n.B ${key}\n`), key);
});

for (const [checker, args] of [
  ['mandoc', ['-Tlint', page]],
  ['man', ['--warnings', '--local-file', page]],
] as const) {
  const skip = spawnSync('sh', ['-c', `command -v ${checker}`]).status !== 0;
  test(`${checker} accepts the man page`, { skip }, () => {
    const { status, stdout, stderr } = spawnSync(checker, args, { encoding: 'utf8' });
    assert.equal(status, 0);
    assert.equal(stderr, '');
    if (checker === 'mandoc') assert.equal(stdout, '');
  });
}
