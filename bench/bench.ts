import { measureRows, withBench } from './harness/run-rows.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { rowsFor } from './rows/rows.js';

const usage = `Usage: npm run bench -- [--only NAME[,NAME…]] [--images N[,N…]] [--table ROWS[,ROWS…]]
                     [--rounds 5] [--home DIR] [--out DIR]

Everything that docs/performance.md reports, each figure beside its limit in the same rounds, on
servers of its own, which it stops and removes.

  --only NAME,…   rows whose names start like this
  --images N,…    images of the users whose growth is measured; pages are read of the largest
                  (default: 1000000)
  --table ROWS,…  growth, in tables of that many images of many users
  --rounds N      rounds (default: 5)
  --home DIR      keeps the seeded data there for the next run
  --out DIR       writes results.json, results.md, and charts; results of earlier runs are kept unless
                  measured again`;

const values = readOptions(usage, {
  only: { type: 'string' },
  images: { type: 'string', default: '1000000' },
  table: { type: 'string', default: '' },
  rounds: { type: 'string', default: '5' },
  home: { type: 'string' },
  out: { type: 'string' },
});

const numbers = (option: 'images' | 'table'): number[] =>
  values[option]
    .split(',')
    .filter(Boolean)
    .map((text) => numberOf([option, text], usage, 1));
const wanted = values.only?.split(',');
const rows = rowsFor(numbers('images'), numbers('table')).filter(
  ({ name }) => !wanted || wanted.some((start) => name.startsWith(start)),
);
if (rows.length === 0) misused(`No row's name starts with ${values.only}.`, usage);
const run = { rows, rounds: numberOf(['rounds', values.rounds], usage, 1), out: values.out };
await withBench(values.home, (bench) => measureRows(run, bench));
