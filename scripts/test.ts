// npm test: runs the tests on servers that start and end with them; see `usage`. `npm run lint` checks
// types, rules, and formatting.
import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { minuteMs } from '../src/base/units.js';
import { longForm } from '../testkit/long-form.js';
import { installPrograms } from '../testkit/programs.js';
import { misused } from '../testkit/script.js';
import { testFilesOf, shareProcesses, shardOf, allRead, type Shard } from './testing/plan.js';
import { openServers } from './testing/servers.js';
import { closeWorkplace, openWorkplace } from './testing/workplace.js';

const usage = `Usage: npm test -- [WORD …] [--name WORDS] [--all] [--shard K/N] [--watch] [--busy]

  WORD          only files of either tier with this in their path, such as "upload" or "api/users"
  --name WORDS  only tests with these words in their name
  --all         both tiers ("npm run test:all"); otherwise the first, which takes minutes
  --shard K/N   the K-th of N parts, which run on machines side by side
  --watch       runs again whenever a source file changes; Ctrl-C ends it
  --busy        beside two processes that compute all the time: a busy machine fails no test

Exits with 0 if all pass, 1 if one fails, 2 for wrong usage, 69 if a program is missing, 130 if stopped.`;

interface Options {
  readonly words: readonly string[];
  readonly name: string | undefined;
  readonly all: boolean;
  readonly shard: Shard | undefined;
  readonly watch: boolean;
  readonly busy: boolean;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Processes of tests at a time: two more than cores, since tests often wait. */
const processesAtOnce = availableParallelism() + 2;

/** When a process of tests is taken for hung, teardown included, in milliseconds. */
const processLimitMs = (longForm ? 120 : 60) * minuteMs;

/** How many of the files that took longest are named after a run of all of them. */
const namedFiles = 20;

const stop = new AbortController();
setMaxListeners(0, stop.signal); // node:test listens to it once for each file
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
const stopped = 130;

const report = (message: string): void => void process.stderr.write(`${message} …\n`);

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { name: text, shard: text, all: flag, watch: flag, busy: flag, help: flag };
  try {
    const { values, positionals: words } = parseArgs({ options, allowPositionals: true });
    const { name, shard, all, watch, busy, help } = values;
    if (help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    return {
      words,
      name,
      all,
      watch,
      busy,
      shard: shard === undefined ? undefined : shardOf(shard),
    };
  } catch (error) {
    return misused((error as Error).message, usage);
  }
}

/** In the long form, only files that have one, or whose tests beside them have. */
function hasLongForm(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const beside = [...text.matchAll(/ from "(\.\/[^"]+)"/g)].map(([, name = '']) =>
    readFileSync(join(root, dirname(file), name), 'utf8'),
  );
  return [text, ...beside].some((each) => each.includes('/testkit/long-form.js'));
}

function chosenFiles({ words, all }: Options): string[] {
  const compiled = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const files = testFilesOf(
    compiled.map((name) => `dist/${name}`),
    all || words.length > 0 || longForm,
  );
  const named = (file: string): boolean => words.some((word) => file.includes(word));
  return files.filter(
    (file) => (words.length === 0 || named(file)) && (!longForm || hasLongForm(file)),
  );
}

/** The totals of a run, which is how it ends for people and programs. */
interface Totals {
  pass: number;
  fail: number;
  skipped: number;
}

function printTimes(times: ReadonlyMap<string, number>): void {
  const longest = [...times].sort((a, b) => b[1] - a[1]).slice(0, namedFiles);
  const lines = longest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}\n`);
  process.stdout.write(`\nFiles that took longest:\n${lines.join('')}\n`);
}

/** Runs test files in the given order, until they are stopped. @returns an exit code. */
async function runFiles(files: readonly string[], { name, shard }: Options): Promise<number> {
  if (stop.signal.aborted) return stopped;
  const totals: Totals = { pass: 0, fail: 0, skipped: 0 };
  const times = new Map<string, number>();
  const results = run({
    files: shareProcesses(root, files, shard).map((file) => join(root, file)),
    concurrency: processesAtOnce,
    timeout: processLimitMs,
    signal: stop.signal,
    ...(name !== undefined && { testNamePatterns: [allRead, new RegExp(name, 'i')] }),
  });
  let failed = false;
  results.on('test:fail', () => (failed = true));
  results.on('test:complete', ({ name: title, nesting, file, details }) => {
    if (nesting > 0 || !file || title === file) return; // the last is a process with all of its tests
    const source = file.replace(`${join(root, 'dist')}/`, '');
    times.set(source, (times.get(source) ?? 0) + details.duration_ms);
  });
  results.on('test:diagnostic', ({ message, nesting }) => {
    const [, what, count] = /^(pass|fail|skipped) (\d+)$/.exec(message) ?? [];
    if (nesting === 0 && what) totals[what as keyof Totals] = Number(count);
  });
  for await (const text of results.compose(new spec())) process.stdout.write(text as string);
  if (times.size > namedFiles) printTimes(times);
  const { pass, fail, skipped } = totals;
  process.stdout.write(`${pass} passed, ${fail} failed, ${skipped} skipped\n`);
  return stop.signal.aborted ? stopped : Number(failed);
}

/** Builds what has changed. @returns whether it could. */
async function build(): Promise<boolean> {
  const child = spawn(process.execPath, ['scripts/setup.mjs', '--build-only'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

const watchedFolders = ['src', 'workers', 'migrations', 'testkit', 'test', 'contract', 'console'];

/** Time in which an editor has written all files that it saves together, in milliseconds. */
const savingMs = 100;

/** Waits until a source file changes. @throws when the run is stopped. */
async function untilChanged(): Promise<void> {
  const changed = new AbortController();
  const ends = AbortSignal.any([changed.signal, stop.signal]);
  setMaxListeners(0, ends);
  for (const folder of watchedFolders) {
    const options = { recursive: true, signal: ends };
    watch(join(root, folder), options, (_, name) => {
      if (name?.match(/\.(tsx?|sql|css)$/)) changed.abort();
    });
  }
  report('\nWaiting for a change');
  if (!ends.aborted) await once(ends, 'abort');
  stop.signal.throwIfAborted();
  await delay(savingMs);
}

/** Runs the files, again after each change if asked to. @returns the last exit code. */
async function runWatching(options: Options): Promise<number> {
  for (;;) {
    const code = await runFiles(chosenFiles(options), options);
    if (!options.watch || stop.signal.aborted) return code;
    do {
      await untilChanged().catch(() => undefined);
      if (stop.signal.aborted) return code;
    } while (!(await build()));
  }
}

/** Two processes that compute until they are ended. */
function makeBusy(): () => void {
  const spin = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const children = [spin(), spin()];
  return () => children.forEach((child) => child.kill('SIGKILL'));
}

/** @returns an exit code. */
async function main(): Promise<number> {
  const options = readOptions();
  const files = chosenFiles(options);
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${options.words.join(', ')}.\n`);
    return 2;
  }
  const workplace = await openWorkplace();
  const rest = options.busy ? makeBusy() : (): void => undefined;
  try {
    await installPrograms(files, report);
    const servers = await openServers(files, report);
    return await runWatching(options).finally(() => servers.close());
  } finally {
    rest();
    await closeWorkplace(workplace);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const { message, remedy, exitCode } = error as Error & { remedy?: string; exitCode?: number };
  process.stderr.write(`${message}\n${remedy ? `  Remedy: ${remedy}\n` : ''}`);
  process.exitCode = stop.signal.aborted ? stopped : (exitCode ?? 1);
}
