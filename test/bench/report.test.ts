import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesOf } from '../../bench/harness/cpu-profile.js';
import { growthMarkdown, seriesOf } from '../../bench/harness/growth-series.js';
import { report } from '../../bench/harness/recorded.js';
import type { Result } from '../../bench/harness/rounds.js';

const result: Result = {
  name: 'pages',
  title: 'Pages <60>',
  limitTitle: 'SQL',
  unit: '/s',
  goal: { atLeast: 0.85 },
  ours: 300,
  limit: 400,
  ratio: 0.75,
  lowest: 0.7,
  highest: 0.8,
  reached: false,
};
const read = (rows: number, user: 'largest' | 'small', ours: number, limit: number): Result => ({
  ...result,
  name: `growth/map/${rows}-${user}`,
  unit: 'ms',
  goal: { atMost: 1.5 },
  ours,
  limit,
  ratio: ours / limit,
  growth: { read: 'map', user, rows },
});
const growth = [
  read(10_000_000, 'largest', 8, 4),
  read(1_000_000, 'largest', 6, 5),
  read(1_000_000, 'small', 5, 5),
];

test('the growth of a read is from the table of the limits to the largest', () => {
  assert.deepEqual(seriesOf(growth, 'largest'), [
    {
      read: 'map',
      goal: { atMost: 1.5 },
      points: [
        [10_000, 5],
        [1_000_000, 6],
        [10_000_000, 8],
      ],
    },
  ]);
  assert.equal(
    growthMarkdown(growth, 'largest').split('\n')[2],
    '| map | 5.00 | 6.00 | 8.00 | **2.00** | ≤ 1.5 ✗ |',
  );
});

test('a report has a section and a chart for exactly what was measured', () => {
  const peer: Result = { ...result, name: 'peers/x/page', title: 'Page', peer: 'X' };
  const times = [{ name: 'page', title: 'Page', spent: { JSON: 3, PostgreSQL: 1 } }];
  const all = report({ results: [result, ...growth, peer], times });
  assert.deepEqual([...all.keys()].sort(), [
    'growth.svg',
    'results.md',
    'results.svg',
    'times.svg',
  ]);
  const text = all.get('results.md') ?? '';
  assert.match(text, /\| Pages <60> \| 300 \/s \| SQL \| 400 \/s \| \*\*0.75\*\* /);
  assert.match(text, /## Growth[^]*\| map \|[^]*## Beside others[^]*\| Page \| 300 \/s /);
  assert.match(all.get('results.svg') ?? '', />Pages &#60;60&#62;</);
  assert.match(all.get('growth.svg') ?? '', />map: 8.0</);
  assert.match(all.get('times.svg') ?? '', />4.0 ms<[^]*>PostgreSQL</);
  assert.deepEqual([...report({ results: [], times }).keys()], ['times.svg', 'results.md']);
});

const frame = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

test('samples of a profile count toward the innermost part that their code belongs to', () => {
  const profile = {
    startTime: 1_000,
    nodes: [
      frame(1, '(root)', '', [2, 6, 7]),
      frame(2, 'answer', 'file:///x/dist/src/http/router.js', [3, 5]),
      frame(3, 'sign', 'file:///x/dist/src/store/signed-url.js', [4]),
      frame(4, 'update', 'node:internal/crypto/hash'),
      frame(5, 'parse', 'file:///x/node_modules/pg-protocol/dist/parser.js'),
      frame(6, '(idle)'),
      frame(7, '(garbage collector)'),
    ],
    samples: [2, 4, 5, 6, 7, 2],
    timeDeltas: [10, 30, 20, 500, 40, 70],
  };
  assert.deepEqual(Object.fromEntries(sharesOf(profile, 1_000, 1_600)), {
    HTTP: 0.1,
    'signed URLs': 0.3,
    'SQL client': 0.2,
    'garbage collection': 0.4,
  });
});
