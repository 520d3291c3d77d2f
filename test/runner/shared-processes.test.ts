import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { ESLint, Linter } from 'eslint';

interface SharedProcesses {
  readonly groups: Readonly<Record<string, { readonly folders: readonly string[] }>>;
  readonly alone: Readonly<Record<string, string>>;
  readonly planProcesses: (files: string[]) => { readonly files: readonly string[] }[];
}

const module = new URL('../../../scripts/testing/shared-processes.mjs', import.meta.url).href;
const { groups, alone, planProcesses } = (await import(module)) as SharedProcesses;

test('each test file runs in exactly one process, and those declared to run alone do', async () => {
  const folders = ['src', 'workers', 'testkit', 'test'];
  const sources = folders.map(async (folder) =>
    (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `dist/${folder}/${name.replace(/ts$/, 'js')}`),
  );
  const files = [...(await Promise.all(sources)).flat(), 'dist/test/undeclared/new.test.js'];
  const processes = planProcesses(files).map((process) => process.files);
  assert.deepEqual(processes.flat().sort(), files.sort());
  const single = processes.filter((process) => process.length === 1).flat();
  for (const source of [...Object.keys(alone), 'test/undeclared/new.test.ts']) {
    assert.ok(single.includes(`dist/${source.replace(/ts$/, 'js')}`), source);
  }
});

test('files and folders that are declared exist', () => {
  const folders = Object.values(groups).flatMap((group) => group.folders);
  assert.equal(new Set(folders).size, folders.length);
  for (const name of folders) assert.ok(existsSync(name) || existsSync(`test/${name}`), name);
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
