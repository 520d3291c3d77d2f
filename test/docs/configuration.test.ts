import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('docs/configuration.md matches the option table; "npm run docs" writes it', () => {
  const printed = execFileSync(process.execPath, ['scripts/configuration-reference.mjs'], {
    encoding: 'utf8',
  });
  assert.equal(readFileSync('docs/configuration.md', 'utf8'), printed);
});
