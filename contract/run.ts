import { areasFor } from './areas.js';
import { DocumentedAnswers, readDocument } from '../testkit/documented.js';
import { routesOf } from './document.js';
import type { Area, Check } from './harness.js';
import { operationNames, routeOf } from '../testkit/operations.js';
import {
  adminToken,
  interrupted,
  interruption,
  misused,
  readOptions,
  requireServer,
} from '../testkit/script.js';
import { World } from '../testkit/world.js';
import { WatchedClient, type WatchedWorld } from './watched-client.js';

const usage = `Usage: ADMIN_TOKEN=TOKEN npm run contract -- --base URL [--only WORDS] [--keep]

Checks a running server against docs/interface, one check per rule; exit code 1 if any fails. At
the end it deletes the users that it created, with their images; the empty platforms remain.

  --base URL           the server, such as http://127.0.0.1:8080
  --admin-token TOKEN  instead of the variable ADMIN_TOKEN; npm prints it
  --only WORDS         only checks with these words in the name of their operation, area, or rule
  --keep               keep the users and their images`;

/** Number of concurrent checks; each creates its own tenants. */
const width = 4;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns whether it passed. */
async function runCheck(check: Check, world: WatchedWorld): Promise<boolean> {
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

/** @returns the number of failed checks. */
async function runArea(
  { name, checks }: Area,
  world: WatchedWorld,
  stop: AbortSignal,
): Promise<number> {
  say(name);
  const waiting = [...checks];
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check && !stop.aborted; check = waiting.shift()) {
      if (!(await runCheck(check, world))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return failed;
}

/** The areas with those checks alone whose operation, area, or rule contains the words. */
function areasWith(words: string, areas: readonly Area[]): readonly Area[] {
  const has = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  return areas
    .map(({ name, checks }) => ({
      name,
      checks: checks.filter((check) => [name, check.operation, check.name].some(has)),
    }))
    .filter(({ checks }) => checks.length > 0);
}

function countByOperation(areas: readonly Area[]): void {
  const all = areas.flatMap(({ checks }) => checks);
  say('\nChecks by operation');
  for (const name of [...operationNames, 'document'] as const) {
    const count = all.filter(({ operation }) => operation === name).length;
    say(`${String(count).padStart(5)}  ${name === 'document' ? '/openapi.json' : routeOf(name)}`);
  }
}

async function cleanUp({ client }: WatchedWorld): Promise<void> {
  const left = await client.created.remove(client);
  if (left > 0)
    say(`\n${left} users could not be deleted; see their platforms named "contract …".`);
}

async function main(): Promise<number> {
  const values = readOptions(usage, {
    base: { type: 'string' },
    'admin-token': { type: 'string' },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  });
  const base = values.base ?? misused('There is no --base.', usage);
  const token = adminToken(values['admin-token'], usage);
  await requireServer(base);
  const document = await readDocument(base);
  const client = new WatchedClient(base, new DocumentedAnswers(async () => document));
  const world = new World(client, token);
  const areas = areasWith(values.only, areasFor(routesOf(document)));
  if (areas.length === 0) misused(`No check has the words "${values.only}".`, usage);
  const stop = interruption();
  let failed = 0;
  for (const area of areas) if (!stop.aborted) failed += await runArea(area, world, stop);
  if (!values.keep) await cleanUp(world);
  if (stop.aborted) return interrupted;
  countByOperation(areas);
  const total = areas.reduce((sum, { checks }) => sum + checks.length, 0);
  say(`\n${total - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
