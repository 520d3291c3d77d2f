import { misused, numberOf, readOptions } from '../testkit/script.js';
import { Started } from '../testkit/scope.js';
import { runSets } from './sync/sets.js';
import { runUploads } from './sync/uploads.js';

const usage = `Usage: npm run soak -- --sync [--only PART] [--sets N]

Clients on bad networks; exit code 1 on any finding.

  --only PART  sets: upload sets of 40 pictures over connections that break
               uploads: 2,000 keyed uploads to three nodes on S3, while every part is killed in turn
  --sets N     upload sets (default: 1000)`;

const { only, sets } = readOptions(usage, {
  only: { type: 'string' },
  sets: { type: 'string', default: '1000' },
});
const count = numberOf(['sets', sets], usage, 1);
const parts = new Map<string, typeof runUploads>([
  ['sets', (scope, report) => runSets(scope, report, count)],
  ['uploads', runUploads],
]);
const chosen = [...parts].filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) misused(`There is no part ${only}.`, usage);

for (const [name, run] of chosen) {
  const scope = new Started();
  try {
    const { details, findings } = await run(scope, (line) => console.error(`${name}: ${line}`));
    for (const detail of details) console.log(`${name}: ${detail}`);
    for (const finding of findings) console.log(`${name}: ✖ ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await scope.end();
  }
}
