import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetOf } from './folder-target.js';

test('a blank is the top level, an id a folder, and all else no move', () => {
  for (const blank of [' ', '   ', '+', '%20']) assert.equal(targetOf(blank), null);
  for (const silent of [undefined, null, '', 'UNSET']) assert.equal(targetOf(silent), undefined);
  assert.equal(targetOf('ABC'), 'abc');
});
