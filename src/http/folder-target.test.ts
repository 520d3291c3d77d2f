import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFolderTarget } from './request-fields.js';

test('a blank means the top level, an id means a folder, and anything else means no move', () => {
  for (const blank of [' ', '   ', '+', '%20']) assert.equal(parseFolderTarget(blank), null);
  for (const silent of [undefined, '', 'UNSET']) assert.equal(parseFolderTarget(silent), undefined);
  assert.equal(parseFolderTarget('ABC'), 'abc');
  assert.equal(parseFolderTarget(null), null);
});
