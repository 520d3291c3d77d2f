// npm run mutate: changes the compiled code in one small way at a time, and runs the test files that
// cover the place until one fails. What no test notices needs a test, or a reason in
// testing/equivalent.ts.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interrupted, interruption, misused, readOptions } from '../testkit/script.js';
import {
  covering,
  makeLane,
  measure,
  runTest,
  type Ending,
  type Measured,
} from './testing/covered-runs.js';
import { equivalent } from './testing/equivalent.js';
import { describeMutation, mutated, mutationsOf, type Mutation } from './testing/mutations.js';
import { openServers } from './testing/servers.js';
import { closeWorkplace, openWorkplace } from './testing/workplace.js';

/** Folders of src/, and words of the test files that may cover them, as for `npm test`. */
interface Area {
  readonly code: readonly string[];
  readonly tests: string;
}

const areas: Readonly<Record<string, Area>> = {
  auth: {
    code: ['http/auth'],
    tests: `src/http/auth/ api/bearer api/tokens api/token-bounds api/key-rotation api/share api/users
      api/narrow-tokens api/identity api/sessions api/office-sign-in api/maintenance cli/narrow-tokens cli/identity
      cli/sessions cli/owner cli/platforms cli/tenants nodes/suspension nodes/revocation nodes/links contract/`,
  },
  quota: {
    code: ['library/quota'],
    tests: `api/quota api/platform-limits api/annotation-limits api/token-bounds api/users api/filedata
      api/update-trash api/user-deletion deletion/ faults/early-answers contract/`,
  },
  reclaim: {
    code: ['library/reclaim', 'library/tree'],
    tests: `reclaim/ library/tree deletion/ api/user-deletion api/filedata api/update-trash
      integrity/places integrity/contents cli/platforms contract/`,
  },
  paging: {
    code: ['http/paging'],
    tests: `src/http/paging api/list-paging api/folders-paging api/folders-contents api/group-paging api/search-totals
      api/large-responses api/token-bounds upload-sets/ images/list/page-queries images/record integrity/contents jobs/
      contract/`,
  },
  folders: {
    code: ['library/folders'],
    tests: 'src/library/folders/ api/folder api/large-responses api/token-bounds contract/',
  },
  statistics: {
    code: ['library/statistics'],
    tests: 'api/statistics jobs/ images/totals integrity/ cli/stats contract/',
  },
  feed: {
    code: ['feed/changes'],
    tests: 'changes/ src/feed/changes nodes/suspension nodes/revocation contract/',
  },
  store: {
    code: ['store'],
    tests:
      'src/store/ src/http/files store/ s3/service s3/answers s3/unfinished move/ nodes/links nodes/http-processes integrity/ contract/',
  },
};

const usage = `Usage: npm run mutate -- [--only AREA …] [--count N] [--seed N]

  --only AREA   ${Object.keys(areas).join(', ')}
  --count N     mutations, spread over the areas (default 200)
  --seed N      selects others (default 1)

Exits with 1 if less than 95 % are noticed.`;

const { only, ...numbers } = readOptions(usage, {
  only: { type: 'string', multiple: true, default: Object.keys(areas) },
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
});
/** @param name as given; exits with 2 for anything else. */
const areaOf = (name: string): Area => areas[name] ?? misused(`"${name}" is not an area.`, usage);
only.forEach(areaOf);
const count = Number(numbers.count);
const seed = Number(numbers.seed);
if (!(count > 0) || Number.isNaN(seed)) misused('--count and --seed are numbers.', usage);

const goal = 0.95;

/** Time limit for a test file: so many times what it takes without a change, and so many seconds. */
const limitFactor = 2;
const limitSeconds = 30;

const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheFile = join(root, 'node_modules/.cache/imgstore-mutate.json');
const report = (message: string): void => void process.stderr.write(`${message} …\n`);
const compiled = (path: string): string => readFileSync(join(root, 'dist', path), 'utf8');

const signal = interruption();
setMaxListeners(0, signal); // each run of a test listens to it

/** Concurrent runs: one more than cores, since tests often wait. */
const lanesAtOnce = availableParallelism() + 1;

const everyFile = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js') && !/^(bundle|shared-processes)\//.test(file))
  .sort();
const testFiles = everyFile.filter((file) => file.endsWith('.test.js'));
/** @throws Error for a word that matches none any more: its area would be taken for less tested than it is. */
function testsOf({ tests }: Area): string[] {
  const words = tests.split(/\s+/);
  const stale = words.filter((word) => !testFiles.some((file) => file.includes(word)));
  if (stale.length > 0) throw new Error(`No test file is called ${stale.join(' or ')}.`);
  return testFiles.filter((file) => words.some((word) => file.includes(word)));
}
const modulesOf = ({ code }: Area): string[] =>
  everyFile.filter(
    (file) =>
      code.some((folder) => file.startsWith(`src/${folder}/`)) &&
      !/(\.test|\/entity|\/columns)\.js$/.test(file), // test/database/schema compares tables
  );

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A mutation of a module, and what it changes. */
interface Chosen extends Mutation {
  readonly module: string;
  readonly change: string;
}

/** Some mutations of an area, each kind in turn, or most would be of two kinds. */
function choose(area: Area, wanted: number): Chosen[] {
  const random = randomNumbers(seed);
  const all = modulesOf(area).flatMap((module) => {
    const code = compiled(module);
    return mutationsOf(code)
      .map((one) => ({ ...one, module, change: describeMutation(code, one) }))
      .filter(({ change }) => !(change in equivalent));
  });
  const shuffled = all.map((one) => ({ one, rank: random() })).sort((a, b) => a.rank - b.rank);
  const kinds: Record<string, Chosen[]> = {};
  for (const { one } of shuffled) (kinds[one.kind] ??= []).push(one);
  const rounds = Array.from({ length: all.length }, (_, n) =>
    Object.values(kinds).flatMap((some) => some[n] ?? []),
  );
  return rounds.flat().slice(0, wanted);
}

/** Gives each lane the next item whenever it is free. */
async function eachInLanes<T>(
  lanes: readonly string[],
  items: readonly T[],
  act: (lane: string, item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const work = async (lane: string): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(lane, item);
  };
  await Promise.all(lanes.map(work));
}

const readCache = (): Record<string, Measured> => {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8')) as Record<string, Measured>;
  } catch {
    return {};
  }
};

/** What each test file of an area covers, kept until the file or the code of the area changes. */
async function measureTests(
  lanes: readonly string[],
  area: Area,
): Promise<Record<string, Measured>> {
  const modules = modulesOf(area);
  const code = modules.map(compiled).join('');
  const keyOf = (file: string): string =>
    createHash('sha256').update(code).update(compiled(file)).digest('hex');
  const found: Record<string, Measured> = {};
  await eachInLanes(lanes, testsOf(area), async (lane, file) => {
    const key = keyOf(file);
    const kept = readCache()[key];
    if (kept) return void (found[file] = kept);
    report(`Measuring what ${file} covers`);
    found[file] = await measure(lane, file, modules, signal);
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify({ ...readCache(), [key]: found[file] }));
  });
  return found;
}

/** The place in the source. */
function placeOf({ module, start }: Chosen): string {
  const lines = compiled(module).slice(0, start).split('\n');
  const map = new SourceMap(JSON.parse(compiled(`${module}.map`)) as SourceMapPayload);
  const entry = map.findEntry(lines.length - 1, (lines.at(-1) ?? '').length);
  const line = 'originalLine' in entry ? entry.originalLine + 1 : 1;
  return `${module.replace(/js$/, 'ts')}:${line}`;
}

/** Runs the tests that cover a mutation. @returns the file that noticed it, and how, if one did. */
async function tryMutation(
  lane: string,
  mutation: Chosen,
  tests: ReturnType<typeof covering>,
): Promise<{ file: string; how: Ending } | undefined> {
  const path = join(lane, 'dist', mutation.module);
  const code = compiled(mutation.module);
  writeFileSync(path, mutated(code, mutation));
  try {
    for (const { file, seconds } of tests) {
      const how = await runTest(lane, file, limitSeconds + limitFactor * seconds, signal);
      if (how !== 'passed') return { file, how };
    }
    return undefined;
  } finally {
    writeFileSync(path, code);
  }
}

interface Tried {
  readonly name: string;
  readonly unreached: number;
  readonly tried: number;
  readonly noticed: number;
}

/**
 * @returns how many mutations of an area were tried, and how many of them noticed. No test of the area
 * reaches the others; they may run in the bundled program, which is not changed.
 */
async function tryArea(lanes: readonly string[], name: string, wanted: number): Promise<Tried> {
  const area = areaOf(name);
  const measured = await measureTests(lanes, area);
  const mutations = choose(area, wanted);
  let [reached, noticed] = [0, 0];
  await eachInLanes(lanes, mutations, async (lane, mutation) => {
    const what = `${placeOf(mutation)}  ${mutation.kind}: ${mutation.change}`;
    const tests = covering(mutation, measured);
    if (tests.length === 0) return void console.log(`UNREACHED ${what}`);
    reached += 1;
    const notice = await tryMutation(lane, mutation, tests);
    if (notice) noticed += 1;
    const by = notice ? `${notice.how}: ${notice.file}` : `${tests.length} test files passed`;
    if (notice) report(`noticed  ${what}  (${by})`);
    else console.log(`SURVIVED ${what}  (${by})`);
  });
  return { name, unreached: mutations.length - reached, tried: reached, noticed };
}

function printTotals(results: readonly Tried[]): number {
  const sum = (key: 'tried' | 'noticed' | 'unreached'): number =>
    results.reduce((total, one) => total + one[key], 0);
  const all = { name: 'all', tried: sum('tried'), noticed: sum('noticed') };
  const unreached = sum('unreached');
  if (unreached > 0)
    console.log(
      `${unreached} run in none of these tests, but perhaps in a program that they start.`,
    );
  for (const { name, tried, noticed } of [...results, all]) {
    const rate = ((100 * noticed) / tried).toFixed(1);
    console.log(`${name.padEnd(12)}${noticed} of ${tried} noticed (${rate} %)`);
  }
  return all.noticed / all.tried;
}

async function tryAreas(names: readonly string[]): Promise<number> {
  const lanes: string[] = [];
  for (let n = 0; n < lanesAtOnce; n += 1) lanes.push(await makeLane());
  const results: Tried[] = [];
  for (const [n, name] of names.entries()) {
    const wanted =
      Math.floor((count * (n + 1)) / names.length) - Math.floor((count * n) / names.length);
    results.push(await tryArea(lanes, name, wanted));
  }
  return printTotals(results);
}

/** Starts the servers of the tests, and tries mutations. @returns an exit code. */
async function main(): Promise<number> {
  const tests = only.flatMap((name) => testsOf(areaOf(name))).map((file) => join('dist', file));
  const workplace = await openWorkplace();
  try {
    const servers = await openServers(tests, report);
    const rate = await tryAreas(only).finally(() => servers.close());
    return Number(rate < goal);
  } finally {
    await closeWorkplace(workplace);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = signal.aborted ? interrupted : 1;
  if (!signal.aborted) process.stderr.write(`${(error as Error).stack}\n`);
}
