import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { lineOf, resultsTable, withPart } from '../../bench/harness/report.js';
import { measure, resultOf, type Bench, type Row } from '../../bench/harness/row.js';

const row: Row = {
  name: 'pages/first',
  title: 'First page',
  limit: 'its SQL',
  unit: '/s',
  goal: { atLeast: 0.85 },
  open: () => Promise.reject(new Error('not opened')),
};
const bench = {} as Bench;

test('a ratio is the median of those of the rounds, and is judged by its goal', () => {
  const slow = resultOf(row, [300, 100, 330], [400, 400, 300]);
  assert.deepEqual(slow.beside, { limit: 400, ratio: 0.75, lowest: 0.25, highest: 1.1 });
  assert.deepEqual([slow.ours, slow.reached], [300, false]);
  assert.equal(resultOf(row, [350], [400]).reached, true);
  const alone = { ...row, unit: 'MB', goal: { atMost: 150 } } as const;
  assert.deepEqual(resultOf(alone, [140], []), { row: alone, ours: 140, reached: true });
  assert.equal(resultOf(alone, [151], []).reached, false);
});

test('both sides are measured in turn, the first round does not count, and the row is closed', async () => {
  const seen: string[] = [];
  const side = (name: string, values: number[]) => async () => {
    seen.push(name);
    return values.shift() ?? NaN;
  };
  const open: Row['open'] = async () => ({
    ours: side('ours', [1, 30, 50, 40]),
    limit: side('limit', [1000, 100, 100, 100]),
    close: async () => seen.push('close'),
  });
  const { ours, beside } = await measure({ ...row, open }, bench, 3);
  assert.deepEqual([ours, beside?.ratio], [40, 0.4]);
  assert.deepEqual(seen, [...Array.from({ length: 4 }, () => ['ours', 'limit']).flat(), 'close']);
  const failing: Row['open'] = async () => ({
    ours: () => Promise.reject(new Error('broken')),
    close: async () => seen.push('closed'),
  });
  await assert.rejects(measure({ ...row, open: failing }, bench, 3), /broken/);
  assert.equal(seen.at(-1), 'closed');
});

test('readers see figures, what is beside them, and ratios, the terminal the goal as well', () => {
  const result = resultOf(row, [300], [400]);
  const { limit, ...alone } = row;
  assert.equal(limit, 'its SQL');
  assert.equal(
    resultsTable([result, resultOf({ ...alone, unit: 'MB' }, [9.5], [])]),
    [
      '| What | imgstore | Beside it |  | Ratio |',
      '| --- | --: | --- | --: | --: |',
      '| First page | 300 /s | its SQL | 400 /s | 0.75 (0.75 to 0.75) |',
      '| First page | 9.50 MB |  |  |  |',
    ].join('\n'),
  );
  assert.match(lineOf(result), /0\.75 \(0\.75 to 0\.75\) \| ≥ 0\.85 ✗$/);
});

test('a part of a page is replaced as a whole; one that is missing is an error', async () => {
  const page = 'Before\n<!-- bench: a -->\nold\n<!-- /bench: a -->\nAfter';
  const written = withPart(page, 'a', '| new |');
  assert.equal(written, 'Before\n<!-- bench: a -->\n\n| new |\n\n<!-- /bench: a -->\nAfter');
  assert.equal(withPart(written, 'a', '| new |'), written);
  assert.throws(() => withPart(page, 'b', ''), /no part <!-- bench: b -->/);
  const performance = await readFile('docs/performance.md', 'utf8');
  for (const name of ['run', 'figures', 'cost']) withPart(performance, name, '');
});
