import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../core/save';
import { figures } from './figures';
import type { DayStatistics, Statistics } from './figures';
import { folded } from './folded';

const day = (date: number, uploads: number): DayStatistics => ({
  date,
  stats: {
    ...(Object.fromEntries(figures.map((figure) => [figure, 0])) as unknown as Statistics),
    total_images: 7,
    total_upload: uploads,
  },
});

test('days are newest first; neighbors without anything are one row, until it is opened', () => {
  const days = [
    day(1, 0),
    day(2, 0),
    day(3, 2),
    day(4, 0),
    day(5, 1),
    day(6, 0),
    day(7, 0),
    day(8, 0),
  ];
  const rows = (opened: number[]) =>
    folded(days, new Set(opened)).map(({ date, quiet }) => [date, quiet?.days ?? 0, quiet?.first]);
  const none = undefined;
  assert.deepEqual(rows([]), [
    [8, 3, 6],
    [5, 0, none],
    [4, 0, none],
    [3, 0, none],
    [2, 2, 1],
  ]);
  assert.deepEqual(rows([8]).slice(0, 4), [
    [8, 3, 6],
    [7, 0, none],
    [6, 0, none],
    [5, 0, none],
  ]);
  assert.deepEqual(folded([], new Set()), []);
});

test('a saved file is read alike by spreadsheets, and has no formulas', async () => {
  const bytes = await csv([
    ['name', 'count'],
    ['Kim, "Min-ji"', 2],
    ['=1+1', -3],
    ['-x', '-3.5'],
    ['two\nlines', '@x'],
  ]).arrayBuffer();
  assert.equal(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    '\uFEFFname,count\r\n"Kim, ""Min-ji""",2\r\n\'=1+1,-3\r\n\'-x,-3.5\r\n"two\nlines",\'@x\r\n',
  );
});
