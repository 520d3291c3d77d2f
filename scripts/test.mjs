// npm test [-- [--skip-lint] PATTERN...]: the tests, on a temporary database server, and lint and
// formatting checks meanwhile. Types are checked by the build, which scripts/setup.mjs has run.
import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { appendFileSync, chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { Home } from '../dist/src/config/home.js';
import { PrivateCluster } from '../dist/src/postgres/cluster.js';
import { ensureEngine } from '../dist/src/postgres/ensure-engine.js';
import { ensureCeph } from '../dist/testkit/ceph/install.js';
import { CephStack } from '../dist/testkit/ceph/stack.js';
import { prepareTemplate } from '../dist/testkit/database.js';
import { findNginx } from '../dist/testkit/nginx.js';
import { ensureSystemd } from '../dist/testkit/systemd.js';
import { sweepTemporaryDirectories, temporaryDirectory } from '../dist/testkit/temporary.js';
import { minuteMs } from '../dist/src/units.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const engineFolder = join(root, '.imgstore/engine'); // unpacked once, if apt may not install
const skipLint = process.argv.includes('--skip-lint');
const patterns = process.argv.slice(2).filter((word) => !word.startsWith('--'));

/** Test files at once: one more than cores, since they mostly wait. */
const filesAtOnce = availableParallelism() + 1;

/** Rooms of test/ whose files take longest, in this order: they begin first, so that none is left over. */
const longFirst = ['fuzz', 'nodes', 'contract', 'database', 'cli', 'faults', 'imaging', 's3'];

const children = new Set();
const stop = new AbortController();
/** Aborted when a check of lint fails. */
const untidy = new AbortController();
const testing = AbortSignal.any([stop.signal, untidy.signal]);
setMaxListeners(0, testing); // node:test listens to it once for each file
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stop.abort();
    for (const child of children) child.kill('SIGTERM'); // the terminal may have signaled it already
  });
}

/** Time limit for one test file, including its teardown, in milliseconds: most take seconds. */
const fileLimitMs = 8 * minuteMs;

/** Runs a Node program to completion, with the time that tests leave over. @returns its exit code. */
function node(args) {
  if (stop.signal.aborted) return 130;
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  children.add(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      children.delete(child);
      resolve(stop.signal.aborted ? 130 : (code ?? 1));
    });
  });
}

/** Folders whose imports are held against .dependency-cruiser.js. */
const importing = ['src', 'workers', 'contract', 'testkit'];

const report = (message) => process.stderr.write(`${message} …\n`);

/** Prettier skips files whose contents it has seen. ESLint's rules depend on the types of other files. */
const cached = ['--cache', '--cache-strategy=content'];

/** @returns an exit code. */
async function lint() {
  const codes = await Promise.all([
    node(['node_modules/eslint/bin/eslint.js', '.']),
    node(['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...importing]),
    node(['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached, '.']),
  ]);
  const code = Math.max(...codes);
  if (code !== 0) untidy.abort();
  return code;
}

/** Where a file stands among those that take long. */
function turnOf(file) {
  const turn = longFirst.findIndex((room) => file.startsWith(`dist/test/${room}/`));
  return turn < 0 ? longFirst.length : turn;
}

function testFiles() {
  return readdirSync(join(root, 'dist'), { recursive: true })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => patterns.length === 0 || patterns.some((p) => file.includes(p)))
    .map((file) => join('dist', file))
    .sort((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1));
}

/** It may lose everything in a power cut. */
const throwAwaySettings = `
fsync = off
synchronous_commit = off
full_page_writes = off
wal_compression = off
max_connections = 200
`;

/** A server for this run alone. */
async function throwAwayServer(dir) {
  chmodSync(dir, 0o755); // as root, the server's own user needs access
  const home = new Home(dir);
  const cluster = new PrivateCluster(home, () => ensureEngine(engineFolder, report));
  await cluster.create();
  appendFileSync(join(home.database, 'cluster/postgresql.conf'), throwAwaySettings);
  return cluster.open();
}

/** An S3 server for this run, if a test needs one and none is given. */
async function throwAwayS3(files) {
  const wanted = files.some((file) => readFileSync(join(root, file), 'utf8').includes('/s3'));
  if (!wanted || process.env.IMGSTORE_TEST_S3_ENDPOINT) return undefined;
  await ensureCeph(report);
  const stack = await CephStack.start();
  process.env.IMGSTORE_TEST_S3_ENDPOINT = stack.endpoints[0];
  process.env.IMGSTORE_TEST_S3_ACCESS_KEY = stack.keys.accessKey;
  process.env.IMGSTORE_TEST_S3_SECRET_KEY = stack.keys.secretKey;
  return stack;
}

/** Runs test files in their order, until they are stopped. @returns an exit code. */
async function runFiles(files) {
  if (testing.aborted) return 130;
  let failed = false;
  const results = run({
    files: files.map((file) => join(root, file)),
    concurrency: filesAtOnce,
    timeout: fileLimitMs,
    signal: testing,
  });
  results.on('test:fail', () => (failed = true));
  await pipeline(results, new spec(), process.stdout, { end: false });
  return stop.signal.aborted ? 130 : Number(failed);
}

/** @param linted the exit code of what goes on meanwhile: the tests end when it fails. */
async function test(linted) {
  const files = testFiles();
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${patterns.join(', ')}.\n`);
    return 2;
  }
  const given = process.env.IMGSTORE_TEST_DATABASE_URL;
  await sweepTemporaryDirectories(); // of runs that were killed
  const dir = given ? undefined : await temporaryDirectory('test');
  let server;
  let s3;
  try {
    if (files.some((file) => file.includes('packages'))) await ensureSystemd(report);
    // Once, before several test files want it at the same time.
    if (files.some((file) => file.includes('nginx'))) await findNginx();
    s3 = await throwAwayS3(files);
    server = dir && (await throwAwayServer(dir));
    if (server) process.env.IMGSTORE_TEST_DATABASE_URL = server.url;
    process.env.IMGSTORE_TEST_ENGINE = engineFolder;
    await prepareTemplate();
    const tested = await runFiles(files);
    return (await linted) || tested;
  } finally {
    await Promise.all([server?.close(), s3?.stop()]);
    if (dir) rmSync(dir, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await test(skipLint ? Promise.resolve(0) : lint());
} catch (error) {
  process.stderr.write(`${error.message}\n${error.remedy ? `  Remedy: ${error.remedy}\n` : ''}`);
  process.exitCode = error.exitCode ?? 1;
}
