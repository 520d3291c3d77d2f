import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { chapters } from '../../src/cli/commands.js';
import { complete, loadProgram } from '../../src/cli/program.js';
import { optionKeys, variableOf } from '../../src/base/config/options.js';
import { pages } from '../../scripts/docs.js';
import { helpPages } from '../../testkit/help-pages.js';

process.env.IMGSTORE_PROGRAM = 'imgstore';

/** Characters that take one column each. */
const widthOf = (line: string): number => [...line].length;

/** The words of an example as a shell would pass them, without redirections. */
const wordsOf = (example: string): string[] =>
  [...example.replace(/ >.*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );

describe('--help', () => {
  test('docs/commands.md matches the output of the commands; "npm run docs" writes it', async () => {
    assert.equal(readFileSync('docs/commands.md', 'utf8'), await pages['docs/commands.md']?.());
  });

  for (const width of [80, 200]) {
    test(`fits into ${width} columns, and on one screen except for that of the settings`, async () => {
      const shown = await helpPages(width);
      assert.ok(shown.length > 25, `${shown.length} pages`);
      for (const { words, text } of shown) {
        const lines = text.trimEnd().split('\n');
        assert.deepEqual(
          lines.filter((line) => widthOf(line) > width || line !== line.trimEnd()),
          [],
          words.join(' '),
        );
        const most = words[0] === '--help' ? 56 : 45; // the list of all commands grows with them
        if (words[0] !== 'help') assert.ok(lines.length <= most, `${words.join(' ')}: too long`);
      }
    });
  }

  test('fits even with the longest name that the program can have', async () => {
    process.env.IMGSTORE_PROGRAM = 'npx imgstore';
    const shown = await helpPages(80);
    process.env.IMGSTORE_PROGRAM = 'imgstore';
    const long = shown.flatMap(({ text }) => text.split('\n')).filter((l) => widthOf(l) > 84);
    assert.deepEqual(long, []);
  });

  test('of the settings has every setting with its variable', async () => {
    const { text = '' } = (await helpPages(80)).at(-1) ?? {};
    for (const key of optionKeys) {
      assert.ok(text.includes(`\n${key}\n`) && text.includes(variableOf(key)), key);
    }
  });

  test('has examples for every command, and each is a valid command', async () => {
    const { leaves } = await loadProgram(chapters);
    for (const leaf of leaves.values()) {
      if (!leaf.hidden) assert.ok(leaf.examples?.length, leaf.name);
      for (const example of leaf.examples ?? []) {
        const again = await loadProgram(chapters);
        const words = wordsOf(example);
        let ran = false;
        for (const [command, known] of again.leaves) {
          if (known.run !== leaf.run) continue;
          await complete(command, known, false);
          command.action(() => void (ran = true));
        }
        await again.program.parseAsync(words, { from: 'user' });
        assert.ok(ran, example);
      }
    }
  });
});
