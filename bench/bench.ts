/**
 * Everything that docs/performance.md reports, each figure beside its limit in the same rounds.
 *
 *     npm run bench [-- --only NAME[,NAME…]] [--images 1000000] [--table ROWS[,ROWS…]] [--rounds 5]
 *                   [--home DIR] [--out DIR]
 *
 * With --table, growth is measured in tables of that many images, of many users. With --home, what
 * was seeded stays there for the next run. With --out, writes results.json, results.md, and the
 * charts to that directory; what earlier runs left there stays, unless measured anew.
 */
import { parseArgs } from 'node:util';
import { measureRows, withBench } from './harness/run-rows.js';
import { rowsFor } from './rows/rows.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    images: { type: 'string', default: '1000000' },
    table: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    home: { type: 'string' },
    out: { type: 'string' },
  },
});

const tables = values.table.split(',').filter(Boolean).map(Number);
const wanted = values.only?.split(',');
const rows = rowsFor(Number(values.images), tables).filter(
  ({ name }) => !wanted || wanted.some((start) => name.startsWith(start)),
);
const run = { rows, rounds: Number(values.rounds), out: values.out };
await withBench(values.home, (bench) => measureRows(run, bench));
