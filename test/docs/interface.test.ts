import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { areasFor } from '../../contract/areas.js';
import { operationNames, operations } from '../../testkit/operations.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A paragraph as the pages number it and others cite it; `§6` and `X4` are whole sections. */
const paragraph = String.raw`§\d+\.\d+|X\d+\.\d+|E\d+|IF (?:\d+|rule \d+|[A-Z][a-z]+(?: \d+)?)`;

/** The text of all files below a folder whose names end like this. */
const textOf = async (folder: string, ending: string): Promise<string> => {
  const names = await readdir(join(root, folder), { recursive: true });
  const files = names.filter((name) => name.endsWith(ending));
  return (
    await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')))
  ).join();
};

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const pages = await textOf('docs/interface', '.md');
const paragraphs = matches(pages, new RegExp(String.raw`^(?:\| )?\*\*(${paragraph})`, 'gm'));
const sections = [
  ...matches(pages, /^## (\d+)\. /gm).map((number) => `§${number}`),
  ...matches(pages, /^## (X\d+|E) /gm),
];

test('each number of docs/interface is that of one paragraph', () => {
  assert.ok(paragraphs.length > 200, `${paragraphs.length} paragraphs`);
  const again = paragraphs.filter((number, at) => paragraphs.indexOf(number) !== at);
  assert.deepEqual(again, []);
});

test('each check of the contract begins with a paragraph of docs/interface', () => {
  const known = operationNames.map((operation) => {
    const [method, path] = operations[operation];
    return { method, path, operation };
  });
  const unknown = { method: 'GET', path: '/unknown', operation: undefined };
  const names = areasFor([...known, unknown]).flatMap(({ checks }) => checks.map((c) => c.name));
  assert.ok(names.length > 500, `${names.length} checks`);
  const numbered = new Set(paragraphs);
  const beginning = new RegExp(String.raw`^(${paragraph}) `);
  const wrong = names.filter((name) => !numbered.has(beginning.exec(name)?.[1] ?? ''));
  assert.deepEqual(wrong, []);
});

test('whatever contract/ and docs/ cite is in docs/interface', async () => {
  const texts = [await textOf('contract', '.ts'), await textOf('docs', '.md')].join();
  const cited = matches(texts, new RegExp(String.raw`(?<!\w)(${paragraph}|§\d+|X\d+)(?!\w)`, 'g'));
  const there = new Set([...paragraphs, ...sections]);
  assert.ok(cited.length > 500, `${cited.length} citations`);
  assert.deepEqual(
    [...new Set(cited)].filter((number) => !there.has(number)),
    [],
  );
});
