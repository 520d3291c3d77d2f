import { parseArgs } from 'node:util';
import { areasFor } from './areas.js';
import { DocumentedAnswers, readDocument } from '../testkit/documented.js';
import { routesOf } from './document.js';
import type { Area, Check } from './harness.js';
import { operationNames, routeOf } from '../testkit/operations.js';
import { World } from '../testkit/world.js';

// npm run contract -- --base URL --admin-token TOKEN: checks a running server against the
// specification.

/** Checks that run concurrently; each has tenants of its own. */
const width = 4;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns whether it passed. */
async function hold(check: Check, world: World): Promise<boolean> {
  try {
    await check.run(world);
    say(`  ✔ ${check.operation}: ${check.name}`);
    return true;
  } catch (error) {
    say(`  ✖ ${check.operation}: ${check.name}`);
    const reason = error instanceof Error ? error.message : String(error);
    say(reason.replaceAll(/^/gm, '      '));
    return false;
  }
}

/** @returns how many failed. */
async function runArea({ name, checks }: Area, world: World): Promise<number> {
  say(name);
  const waiting = [...checks];
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await hold(check, world))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return failed;
}

function countByOperation(areas: readonly Area[]): void {
  const all = areas.flatMap(({ checks }) => checks);
  say('\nChecks by operation');
  for (const name of [...operationNames, 'document'] as const) {
    const count = all.filter(({ operation }) => operation === name).length;
    say(`${String(count).padStart(5)}  ${name === 'document' ? '/openapi.json' : routeOf(name)}`);
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { base: { type: 'string' }, 'admin-token': { type: 'string' } },
  });
  const { base, 'admin-token': adminToken } = values;
  if (!base || !adminToken) {
    process.stderr.write('Usage: npm run contract -- --base URL --admin-token TOKEN\n');
    return 2;
  }
  const document = await readDocument(base);
  const world = new World(base, adminToken, new DocumentedAnswers(async () => document));
  const areas = areasFor(routesOf(document));
  let failed = 0;
  for (const area of areas) failed += await runArea(area, world);
  countByOperation(areas);
  const total = areas.reduce((sum, { checks }) => sum + checks.length, 0);
  say(`\n${total - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
