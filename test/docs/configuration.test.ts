import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pages } from '../../scripts/docs.js';

test('docs/configuration.md matches the option table; "npm run docs" writes it', async () => {
  const page = 'docs/configuration.md';
  assert.equal(readFileSync(page, 'utf8'), await pages[page]?.());
});
