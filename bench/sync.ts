import { misused, readOptions } from '../testkit/script.js';
import { Started } from '../testkit/scope.js';
import { replica } from './sync/replica.js';
import { sets } from './sync/sets.js';
import { uploads } from './sync/uploads.js';

const parts = [sets, uploads, replica];

const usage = `Usage: npm run soak:sync [-- --only PART]

What clients on bad networks rely on, on a service of its own; exit code 1 on any finding.

  --only PART  one of the parts, which are, in this order:
${parts.map(({ name, about }) => `    ${name.padEnd(11)}${about}`).join('\n')}`;

const { only } = readOptions(usage, { only: { type: 'string' } });
const chosen = parts.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) misused(`There is no part ${only}.`, usage);

for (const { name, run } of chosen) {
  const scope = new Started();
  try {
    const { facts, findings } = await run(scope, (line) => console.error(`${name}: ${line}`));
    for (const fact of facts) console.log(`${name}: ${fact}`);
    for (const finding of findings) console.log(`${name}: ✖ ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await scope.end();
  }
}
