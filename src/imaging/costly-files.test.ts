import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CostlyFiles } from './admission.js';

test('only the most recent files are remembered', () => {
  const files = new CostlyFiles();
  for (let i = 0; i <= 10_000; i++) files.remember(`${i}`, 'image_too_complex');
  assert.equal(files.codeOf('0'), undefined);
  assert.equal(files.codeOf('1'), 'image_too_complex');
  assert.equal(files.codeOf('10000'), 'image_too_complex');
});
