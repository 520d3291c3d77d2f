import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableText } from './table.js';

const text = (rows: string[][], width = 30): string[] =>
  tableText({ headers: ['ID', 'USERS', 'NAME'], rows }, width).split('\n');

test('a table has headers, and columns as wide as their widest cell', () => {
  assert.deepEqual(
    text([
      ['17', '2', 'Field survey'],
      ['123456', '10,000', ''],
    ]),
    ['ID      USERS   NAME', '17      2       Field survey', '123456  10,000'],
  );
});

test('a last cell that is too long goes below its row, broken at spaces, with its words whole', () => {
  const url = `https://example.com/${'x'.repeat(30)}`;
  assert.deepEqual(
    text([
      ['1', '2', `${url} (paused because nobody answers)`],
      ['3', '4', 'fits'],
    ]),
    [
      'ID  USERS  NAME',
      '1   2',
      `  ${url}`,
      '  (paused because nobody',
      '  answers)',
      '3   4      fits',
    ],
  );
  assert.equal(text([['1', '2', url]], Infinity)[1], `1   2      ${url}`, 'in a pipe');
});

test('characters of East Asia take two columns; those that steer a terminal are escaped', () => {
  assert.deepEqual(
    text([
      ['현장', '1', 'a'],
      ['가나다', '2', 'b\nc'],
    ]),
    ['ID      USERS  NAME', '현장    1      a', '가나다  2      b\\nc'],
  );
  assert.deepEqual(text([['1', '2', '가나다라마바사아자차']], 30), [
    'ID  USERS  NAME',
    '1   2',
    '  가나다라마바사아자차',
  ]);
});
