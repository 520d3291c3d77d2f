import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint, Linter } from 'eslint';
import {
  alone,
  groups,
  planProcesses,
  secondTier,
  shardOf,
  testFilesOf,
} from '../../scripts/testing/plan.js';
import { run } from '../../src/base/os/run.js';

/** All compiled test files, and one in a folder that is declared nowhere. */
async function everyFile(): Promise<string[]> {
  const folders = ['src', 'workers', 'testkit', 'test'];
  const sources = folders.map(async (folder) =>
    (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `dist/${folder}/${name.replace(/ts$/, 'js')}`),
  );
  return [...(await Promise.all(sources)).flat(), 'dist/test/undeclared/new.test.js'];
}

test('each test file runs in exactly one process, and those declared to run alone do', async () => {
  const files = await everyFile();
  const processes = planProcesses(files).map((process) => process.files);
  assert.deepEqual(processes.flat().sort(), files.sort());
  const single = processes.filter((process) => process.length === 1).flat();
  for (const source of [...Object.keys(alone), 'test/undeclared/new.test.ts']) {
    assert.ok(single.includes(`dist/${source.replace(/ts$/, 'js')}`), source);
  }
});

test('machines side by side run each file once', async () => {
  const files = await everyFile();
  const shards = ['1/3', '2/3', '3/3'].map((text) => planProcesses(files, shardOf(text)));
  assert.ok(shards.every((shard) => shard.length > 0));
  assert.deepEqual(
    shards
      .flat()
      .flatMap((process) => process.files)
      .sort(),
    files.sort(),
  );
  for (const text of ['0/3', '4/3', '3', '1/0', '-1/3', 'a/b']) {
    assert.throws(() => shardOf(text), /--shard/, text);
  }
});

test('the first tier has what is not declared to be of the second', async () => {
  const files = await everyFile();
  const first = testFilesOf(files, false);
  assert.ok(first.includes('dist/test/undeclared/new.test.js'));
  const second = files.filter((file) => !first.includes(file));
  for (const start of secondTier) {
    assert.ok(
      second.some((file) => file.startsWith(`dist/test/${start}`)),
      start,
    );
  }
  assert.deepEqual([...first, ...second].sort(), testFilesOf(files, true).sort());
});

for (const words of [['--nmae', 'x'], ['--shard', '3'], ['no-such-file'], ['--shard', '5/3']]) {
  test(`"npm test -- ${words.join(' ')}" is wrong usage`, async () => {
    const program = fileURLToPath(new URL('../../scripts/test.js', import.meta.url));
    const { code, output } = await run(process.execPath, [program, ...words]);
    assert.equal(code, 2, output);
    assert.match(output, new RegExp(words[0] as string));
  });
}

test('files and folders that are declared exist', () => {
  const folders = Object.values(groups).flatMap((group) => group.folders);
  assert.equal(new Set(folders).size, folders.length);
  for (const name of folders) assert.ok(existsSync(`dist/${name}`) || existsSync(`dist/test/${name}`), name);
});

test('lint refuses what would disturb other files of a process', async () => {
  const reports = async (code: string, path: string): Promise<number> => {
    const { rules } = (await new ESLint().calculateConfigForFile(path)) as Linter.Config;
    const rule = { 'no-restricted-syntax': rules?.['no-restricted-syntax'] };
    return new Linter().verify(code, [{ rules: rule }]).length;
  };
  for (const code of [
    'beforeEach(() => connect());',
    "process.env.PATH = '/';",
    'process.env = {};',
    'delete process.env.PATH;',
    "process.chdir('/');",
    "import { heldMemory } from '../../testkit/held-memory.js';",
  ]) {
    assert.equal(await reports(code, 'test/api/bearer.test.ts'), 1, code);
    assert.equal(await reports(code, 'test/api/edge.test.ts'), 0, code);
  }
  const inSuite = "describe('it', () => { before(() => connect()); });";
  assert.equal(await reports(inSuite, 'test/api/bearer.test.ts'), 0);
});
