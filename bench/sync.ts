import { misused, readOptions } from '../testkit/script.js';
import { Started } from '../testkit/scope.js';
import { replica } from './sync/replica.js';
import { sets } from './sync/sets.js';
import { uploads } from './sync/uploads.js';
import { webhooks } from './sync/webhooks.js';

const parts = [sets, uploads, replica, webhooks];

const usage = `Usage: npm run soak -- --sync [--only PART] [--minutes N] [--sets N] [--events N]

Tests the guarantees for clients on bad networks, on a separate service; exit code 1 on any finding.

  --only PART  one of these parts, which run in this order:
${parts.map(({ name, about }) => `    ${name.padEnd(11)}${about}`).join('\n')}
  --minutes N  duration of writes in the replica part (default: 5)
  --sets N     upload sets (default: 1000)
  --events N   changes of each user in each stage of the webhooks (default: 200)`;

const values = readOptions(usage, {
  only: { type: 'string' },
  minutes: { type: 'string', default: '5' },
  sets: { type: 'string', default: '1000' },
  events: { type: 'string', default: '200' },
});

function atLeastOne(option: 'minutes' | 'sets' | 'events'): number {
  const value = Number(values[option]);
  return value >= 1 ? value : misused(`--${option} must be a number of at least 1.`, usage);
}

const { only } = values;
const chosen = parts.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) misused(`There is no part ${only}.`, usage);
const extent = {
  minutes: atLeastOne('minutes'),
  sets: atLeastOne('sets'),
  events: atLeastOne('events'),
};

for (const { name, run } of chosen) {
  const scope = new Started();
  try {
    const say = (line: string): void => console.error(`${name}: ${line}`);
    const { details, findings } = await run(scope, say, extent);
    for (const detail of details) console.log(`${name}: ${detail}`);
    for (const finding of findings) console.log(`${name}: ✖ ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await scope.end();
  }
}
