// npm test [-- PATTERN...]: runs the tests on a temporary database server. npm run test:long: runs only
// tests with a long form, in that form. `npm run lint` checks types, rules, and formatting.
import { setMaxListeners } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { longForm } from '../dist/testkit/long-form.js';
import { prepareTemplate } from '../dist/testkit/migrated-source.js';
import { engineFolder, installPrograms } from '../dist/testkit/programs.js';
import { temporaryDirectory } from '../dist/testkit/temporary.js';
import { minuteMs } from '../dist/src/base/units.js';
import { throwAwayS3, throwAwayServer } from './testing/servers.mjs';
import { shareProcesses } from './testing/shared-processes.mjs';
import { closeWorkplace, openWorkplace } from './testing/workplace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const patterns = process.argv.slice(2).filter((word) => !word.startsWith('--'));

/** Concurrent test files: two more than cores, since they often wait. */
const filesAtOnce = availableParallelism() + 2;

/** Files of test/ that take longest, in this order: they begin first, so none is left for the end. */
const slowestFiles = [
  'fuzz',
  'backup',
  'console',
  'contract',
  'upgrade',
  'nodes/http',
  'database/slow',
  'database/cluster',
  'database/dumps',
  'faults/slow',
  'faults/service',
  'faults/crowd',
  'nodes',
  'doctor',
  'webhooks',
  'integrity',
  'packages',
  'cli',
  'api',
  'faults',
  'database',
  'imaging',
  's3',
  'docs',
];

const stop = new AbortController();
setMaxListeners(0, stop.signal); // node:test listens to it once for each file
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());

/** Time limit for one process of tests, including its teardown, in milliseconds: most take a minute. */
const fileLimitMs = (longForm ? 60 : 15) * minuteMs;

const report = (message) => process.stderr.write(`${message} …\n`);

/** The rank of a file among the slowest ones. */
function rankOf(file) {
  const rank = slowestFiles.findIndex((start) => file.startsWith(`dist/test/${start}`));
  return rank < 0 ? slowestFiles.length : rank;
}

/** In the long form, only files that have one, or whose tests beside them have. */
function wanted(file) {
  if (!longForm) return true;
  const text = readFileSync(join(root, file), 'utf8');
  const beside = [...text.matchAll(/ from "(\.\/[^"]+)"/g)].map(([, name]) =>
    join(dirname(file), name),
  );
  return [text, ...beside.map((name) => readFileSync(join(root, name), 'utf8'))].some((each) =>
    each.includes('/testkit/long-form.js'),
  );
}

function testFiles() {
  return readdirSync(join(root, 'dist'), { recursive: true })
    .filter((file) => file.endsWith('.test.js') && !file.startsWith('shared-processes/'))
    .filter((file) => patterns.length === 0 || patterns.some((p) => file.includes(p)))
    .map((file) => join('dist', file))
    .filter(wanted)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

/** Runs test files in the given order, until they are stopped. @returns an exit code. */
async function runFiles(files) {
  if (stop.signal.aborted) return 130;
  let failed = false;
  const results = run({
    files: shareProcesses(root, files).map((file) => join(root, file)),
    concurrency: filesAtOnce,
    timeout: fileLimitMs,
    signal: stop.signal,
  });
  results.on('test:fail', () => (failed = true));
  await pipeline(results, new spec(), process.stdout, { end: false });
  return stop.signal.aborted ? 130 : Number(failed);
}

/** Starts servers for test files, and then runs the files. @returns an exit code. */
async function test(files) {
  const given = process.env.IMGSTORE_TEST_DATABASE_URL;
  const dir = given ? undefined : await temporaryDirectory('test');
  let server;
  let s3;
  try {
    await installPrograms(files, report);
    s3 = await throwAwayS3(files, report);
    server = dir && (await throwAwayServer(dir, report));
    process.env.IMGSTORE_TEST_ENGINE = engineFolder;
    await prepareTemplate();
    return await runFiles(files);
  } finally {
    await Promise.all([server?.close(), s3?.stop()]);
    if (dir) rmSync(dir, { recursive: true, force: true });
  }
}

/** @returns an exit code. */
async function main() {
  const files = testFiles();
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${patterns.join(', ')}.\n`);
    return 2;
  }
  const workplace = await openWorkplace();
  return test(files).finally(() => closeWorkplace(workplace));
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error.message}\n${error.remedy ? `  Remedy: ${error.remedy}\n` : ''}`);
  process.exitCode = error.exitCode ?? 1;
}
