import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOfPath, parentForCreation, parentForUpdate } from './parent.js';

const blanks = [' ', '   ', '+', '%20'];
const nothings = [undefined, null, '', 'none', 'None', 'NULL'];

test('a new folder goes to the top level for a blank and for nothing', () => {
  for (const raw of [...blanks, ...nothings]) assert.equal(parentForCreation(raw), null);
  assert.equal(parentForCreation('ABC'), 'abc');
});

test('an update moves to the top level for a blank, and nowhere for nothing', () => {
  for (const raw of blanks) assert.equal(parentForUpdate(raw), null);
  for (const raw of [...nothings, 'UNSET']) assert.equal(parentForUpdate(raw), undefined);
  assert.equal(parentForUpdate('ABC'), 'abc');
});

test('a path names the top level by a blank and by root', () => {
  for (const segment of [...blanks, 'root']) assert.equal(folderOfPath(segment), null);
  assert.equal(folderOfPath('none'), 'none');
});
