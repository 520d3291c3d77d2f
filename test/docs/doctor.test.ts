import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { categories } from '../../src/ops/doctor/check.js';
import { checks } from '../../src/ops/doctor/checks.js';

test('docs/doctor.md lists every check', () => {
  const listed = readFileSync('docs/doctor.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \w.+ \| `[\w-]+`( †)? \|/.test(line));
  const rows = checks.map(
    ({ category, name, title, fix }) =>
      `| ${categories[category]} | \`${name}\`${fix ? ' †' : ''} | ${title} |`,
  );
  assert.deepEqual(listed, rows);
});

test('checks have unique names, and are ordered by category', () => {
  assert.equal(new Set(checks.map(({ name }) => name)).size, checks.length);
  const order = Object.keys(categories);
  const places = checks.map(({ category }) => order.indexOf(category));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});
