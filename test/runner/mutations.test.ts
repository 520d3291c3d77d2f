import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutated, mutationsOf } from '../../scripts/testing/mutations.js';

const changed = (code: string): string[] =>
  mutationsOf(code)
    .map((mutation) => `${mutation.kind}: ${mutated(code, mutation)}`)
    .sort();

/** Pieces of code, and all that becomes of them. */
const cases: [code: string, changed: string[]][] = [
  ['a < b', ['boundary: a <= b']],
  ['a === b', ['comparison: a !== b']],
  ['a && !b', ['and, or: a || !b', 'condition: a && (b)']],
  ['a ?? b', ['default: a']],
  ['a ?? null', []],
  ['a + b', ['arithmetic: a - b']],
  ["a + ' MB'", []],
  ['if (a) throw b', ['condition: if (!(a)) throw b', 'statement: if (a) ;']],
  ['await a()', ['statement: ;']],
  [
    'async () => { return await a() }',
    ['await: async () => { return a() }', 'return: async () => { return; return await a() }'],
  ],
  ['a < graceMs', []],
  ['f(5 * minuteMs)', ['arithmetic: f(5 / minuteMs)', 'statement: ;']],
  [
    'x = `SELECT FROM t WHERE a > now()`',
    ['SQL condition: x = `SELECT FROM t WHERE (a > now() OR TRUE)`', 'statement: ;'],
  ],
  ['log.info(a)', []],
  ['a.some(3)', ['number: a.some((3 + 1))', 'opposite: a.every(3)', 'statement: ;']],
  ['function f() { return a }', ['return: function f() { return; return a }']],
  [
    'x = `SELECT FROM t WHERE a = $1 AND (b < $2 OR c IS NULL) ORDER BY a LIMIT 9 FOR UPDATE`',
    [
      'SQL boundary: x = `SELECT FROM t WHERE a = $1 AND (b <= $2 OR c IS NULL) ORDER BY a LIMIT 9 FOR UPDATE`',
      'SQL condition: x = `SELECT FROM t WHERE (a = $1 OR TRUE) AND (b < $2 OR c IS NULL) ORDER BY a LIMIT 9 FOR UPDATE`',
      'SQL condition: x = `SELECT FROM t WHERE a = $1 AND ((b < $2 OR c IS NULL) OR TRUE) ORDER BY a LIMIT 9 FOR UPDATE`',
      'SQL lock: x = `SELECT FROM t WHERE a = $1 AND (b < $2 OR c IS NULL) ORDER BY a LIMIT 9 `',
      'SQL null: x = `SELECT FROM t WHERE a = $1 AND (b < $2 OR c IS NOT NULL) ORDER BY a LIMIT 9 FOR UPDATE`',
      'SQL order: x = `SELECT FROM t WHERE a = $1 AND (b < $2 OR c IS NULL) ORDER BY a DESC LIMIT 9 FOR UPDATE`',
      'statement: ;',
    ],
  ],
];

test('npm run mutate changes code in each of these ways', () => {
  for (const [code, expected] of cases) assert.deepEqual(changed(code), expected, code);
});
