import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Findings } from './harness/findings.js';
import { Progress } from './harness/progress.js';
import { allBombs } from './pictures/bombs.js';
import { appliance } from '../../testkit/appliance.js';
import {
  fuzzBombs,
  fuzzForms,
  fuzzPictures,
  fuzzRequests,
  fuzzTokens,
  fuzzWire,
  type FuzzRun,
} from './parts.js';
import { Started } from '../../testkit/scope.js';

// npm run fuzz -- [--seed N] [--requests N] [--mutations N] [--only PART]: everything that a hostile
// client could send, against a service of its own.

const parts: Record<string, readonly ((fuzzRun: FuzzRun) => Promise<string>)[]> = {
  requests: [fuzzRequests],
  raw: [fuzzWire, fuzzForms],
  pictures: [fuzzPictures, fuzzBombs],
  tokens: [fuzzTokens],
};

const collect = { sample: 1, forgeries: 1, bombs: allBombs, idleMs: 3_000 };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      requests: { type: 'string', default: '20000' },
      mutations: { type: 'string', default: '10000' },
      only: { type: 'string', multiple: true, default: Object.keys(parts) },
    },
  });
  const [seed = 0, requests = 0, mutations = 0] = [
    values.seed,
    values.requests,
    values.mutations,
  ].map(Number);
  const started = new Started();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void started.end().finally(() => process.exit(130)));
  }
  try {
    const target = await appliance(started);
    await target.restart(); // by `serve`, which nobody else starts again
    const findings = new Findings();
    const fuzzRun = {
      target,
      findings,
      progress: new Progress(),
      seed,
      requests,
      mutations,
      ...collect,
    };
    say(`seed ${seed}`);
    for (const name of values.only) {
      const chosen = parts[name];
      if (!chosen) throw new Error(`--only takes ${Object.keys(parts).join(', ')}.`);
      for (const part of chosen) {
        const began = performance.now();
        const line = await part(fuzzRun);
        say(`${name}: ${line}; ${((performance.now() - began) / 1000).toFixed(0)} s`);
      }
    }
    say(`${target.deaths} deaths of the service, ${findings.all.length} findings`);
    if (findings.all.length > 0) say(findings.toString());
    return findings.all.length === 0 ? 0 : 1;
  } finally {
    await started.end();
  }
}

process.exitCode = await main();
