// @ts-check
// Makes a clone ready to run: npm packages, build, PostgreSQL with PostGIS. Runs only the missing
// steps. With --build-only, skips the database, which packaging does not need; with --packages-only,
// the build, too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Prints one line per step, even in a pipe: some steps take minutes.
 * @param {string} message
 */
const report = (message) => process.stderr.write(`${message} …\n`);

/** @param {string} message @param {string} [remedy] */
function fail(message, remedy) {
  process.stderr.write(`${message}\n${remedy ? `  Remedy: ${remedy}\n` : ''}`);
  process.exit(69);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `imgstore needs Node.js 20.19 or newer; this is ${process.versions.node}.`,
    'install a current Node.js, see https://nodejs.org/en/download',
  );
}

/** @param {string} what @param {string} command @param {string[]} args */
function step(what, command, args) {
  report(what);
  run(what, command, args);
}

/**
 * Runs a program; its output is shown on a terminal, otherwise only if it fails.
 * @param {string} what @param {string} command @param {string[]} args
 */
function run(what, command, args) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = process.stderr.isTTY ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'];
  const done = spawnSync(command, args, { cwd: root, stdio, encoding: 'utf8' });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
  fail(`${what} failed.`, `run ${[command, ...args].join(' ')} (in ${root}) to see why`);
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether node_modules matches package-lock.json, according to npm's record of what it installed. */
function packagesMatch() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  /** @type {Record<string, { version?: string, optional?: boolean }>} */
  const wanted = readJson('package-lock.json').packages;
  /** @type {typeof wanted} */
  const present = readJson('node_modules/.package-lock.json').packages;
  return (
    Object.entries(present).every(([path, { version }]) => wanted[path]?.version === version) &&
    Object.entries(wanted).every(
      ([path, { optional }]) => path === '' || optional || path in present,
    )
  );
}

function installPackages() {
  if (packagesMatch()) return;
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  if (npm) step('Installing npm packages', process.execPath, [npm, ...args]);
  else step('Installing npm packages', 'npm', args);
}

/** A hash of all files that the build reads. */
function sourcesHash() {
  const hash = createHash('sha256');
  const files = ['tsconfig.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/bundle.mjs'];
  for (const dir of [
    'src',
    'workers',
    'migrations',
    'testkit',
    'test',
    'bench',
    'contract',
    'clients',
    'scripts',
  ]) {
    if (!existsSync(join(root, dir))) continue;
    for (const entry of readdirSync(join(root, dir), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith('.ts'))
        files.push(join(entry.parentPath, entry.name));
    }
  }
  for (const file of files.sort()) {
    hash.update(`${file}\0`).update(readFileSync(file.startsWith('/') ? file : join(root, file)));
  }
  return hash.digest('hex');
}

/** Notes the commit for `--version`, if this is a clone. The build itself does not depend on it. */
function noteCommit() {
  const args = ['rev-parse', '--short=8', 'HEAD'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) writeFileSync(join(root, 'dist/bundle/commit'), stdout);
}

function build() {
  const stamp = join(root, 'dist/.stamp');
  const hash = sourcesHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  step('Building', process.execPath, ['scripts/build.mjs']);
  writeFileSync(stamp, hash);
}

const built = '../dist/src/database/postgres/ensure-engine.js';

/** As root, apt installs the database engine now; otherwise `imgstore init` unpacks one. */
async function installDatabase() {
  if (process.env.IMGSTORE_DATABASE_URL) return;
  /** @type {typeof import('../src/database/postgres/ensure-engine.js')} */
  const { findEngine, ensureEngine, engineSource } = await import(built);
  const folder = join(root, '.imgstore/engine');
  const source = await engineSource();
  if (source === 'unpack' || (await findEngine(folder))) return;
  try {
    await ensureEngine(folder, report);
  } catch (error) {
    const { message, remedy } = /** @type {Error & { remedy?: string }} */ (error);
    fail(message, remedy);
  }
}

/** @param {string} part */
const only = (part) => process.argv.includes(`--${part}-only`);

checkNode();
installPackages();
if (!only('packages')) {
  build();
  noteCommit();
  run('Building the console', process.execPath, ['scripts/build-console.mjs']);
  if (!only('build')) await installDatabase();
}
