import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetOf } from './folder-target.js';

test('a blank means the top level, an id means a folder, and anything else means no move', () => {
  for (const blank of [' ', '   ', '+', '%20']) assert.equal(targetOf(blank), null);
  for (const silent of [undefined, null, '', 'UNSET']) assert.equal(targetOf(silent), undefined);
  assert.equal(targetOf('ABC'), 'abc');
});
