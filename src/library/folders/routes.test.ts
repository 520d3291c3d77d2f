import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOfPath, parentForCreation, parentForUpdate } from './routes.js';

const blanks = [' ', '   ', '+', '%20'];
const nothings = [undefined, '', 'none', 'None', 'NULL'];

test('a blank or absent parent puts a new folder at the top level', () => {
  for (const raw of [...blanks, ...nothings, null]) assert.equal(parentForCreation(raw), null);
  assert.equal(parentForCreation('ABC'), 'abc');
});

test('in an update, a blank or null means the top level, and an absent parent means no move', () => {
  for (const raw of [...blanks, null]) assert.equal(parentForUpdate(raw), null);
  for (const raw of [...nothings, 'UNSET']) assert.equal(parentForUpdate(raw), undefined);
  assert.equal(parentForUpdate('ABC'), 'abc');
});

test('in a path, a blank or root means the top level', () => {
  for (const segment of [...blanks, 'root']) assert.equal(folderOfPath(segment), null);
  assert.equal(folderOfPath('none'), 'none');
});
