import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const below = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'].concat(
  below('docs', '.md'),
);

/** What the first group of a pattern finds in the pages. */
const cited = (pattern: RegExp): { page: string; what: string }[] =>
  pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(pattern)].map(([, what = '']) => ({ page, what })),
  );

test('pages cite only tests that exist', () => {
  const files = ['src', 'test', 'testkit', 'workers'].flatMap((room) => below(room, '.test.ts'));
  const commands = cited(/npm (?:test|run test:\w+) -- ([a-z][\w/.: -]*)/g);
  const words = commands.flatMap(({ page, what }) =>
    what
      .split(/ --/)[0]!
      .split(' ')
      .filter(Boolean)
      .map((word) => ({ page, word })),
  );
  assert.ok(words.length > 40, `${words.length} words`);
  assert.deepEqual(
    words.filter(({ word }) => !files.some((file) => file.includes(word))),
    [],
  );
});

test('pages cite only npm scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const named = cited(/npm run (?:-s )?([\w:-]+)/g);
  assert.ok(named.length > 40, `${named.length} scripts`);
  assert.deepEqual(
    named.filter(({ what }) => !Object.hasOwn(scripts, what)),
    [],
  );
});
