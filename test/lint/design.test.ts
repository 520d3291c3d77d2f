import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const tokens = 'styles/tokens.css';

const allFiles = await readdir('console', { recursive: true });
const files = allFiles.filter((name) => name.endsWith('.css') && name !== tokens);
const sheets = await Promise.all(
  files.map(async (name) => ({ name, css: await readFile(join('console', name), 'utf8') })),
);

/** Lines of the style sheets that match, each with its file. */
const lines = (pattern: RegExp): string[] =>
  sheets.flatMap(({ name, css }) =>
    css
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

describe('the style sheets of the console', () => {
  test('take colors, sizes of type, radius, and elevation from the tokens', () => {
    assert.ok(sheets.length > 5);
    assert.deepEqual(lines(/#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i), []);
    // Points are for paper.
    assert.deepEqual(lines(/font-size: (?!var\(|[\d.]+pt;)/), []);
    assert.deepEqual(lines(/border-radius: .*\dpx/), []);
    assert.deepEqual(lines(/box-shadow: (?!var\(|inset|none)/), []);
  });

  test('name no token that does not exist, and each token is named', async () => {
    const declared = await readFile(join('console', tokens), 'utf8');
    const names = new Set(declared.match(/(?<=^ +)--[\w-]+(?=:)/gm));
    const scripts = allFiles.filter((name) => /\.tsx?$/.test(name));
    const code = await Promise.all(scripts.map((name) => readFile(join('console', name), 'utf8')));
    const used = new Set([
      ...sheets.flatMap(({ css }) => css.match(/(?<=var\()--[\w-]+/g) ?? []),
      ...code.flatMap((text) => text.match(/(?<=colorOf\(')--[\w-]+/g) ?? []),
    ]);
    const own = new Set(sheets.flatMap(({ css }) => css.match(/--[\w-]+(?=:)/g) ?? []));
    const set = new Set(code.flatMap((text) => text.match(/(?<=')--[\w-]+(?=')/g) ?? []));
    const unknown = [...used].filter((name) => ![names, own, set].some((of) => of.has(name)));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      [...names].filter((name) => !used.has(name)),
      [],
    );
  });

  test('have the same tokens as the landing page, which is no part of the console', async () => {
    const declared = await readFile(join('console', tokens), 'utf8');
    const landing = await readFile('assets/landing.css', 'utf8');
    const own = landing.match(/^ +--[\w-]+: .*;$/gm) ?? [];
    assert.ok(own.length > 10);
    assert.deepEqual(
      own.filter((line) => !declared.includes(line)),
      [],
    );
  });
});
