import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOfPath, parentOfNew } from './routes.js';

test('a parent that is absent, blank, or a word for nothing puts a new folder at the top level', () => {
  for (const raw of [undefined, null, '', ' ', 'none', 'NULL'])
    assert.equal(parentOfNew(raw), null);
  assert.deepEqual([parentOfNew('ABC'), parentOfNew('UNSET')], ['abc', 'UNSET']);
});

test('in a path, a blank or root means the top level', () => {
  for (const segment of [' ', '   ', '+', '%20', 'root']) assert.equal(folderOfPath(segment), null);
  assert.equal(folderOfPath('none'), 'none');
});
