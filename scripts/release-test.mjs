// npm run test:system -- release [deb|npm]: installs each package of release/ in a clean Debian and uploads
// a picture there. Requires root, apt, and a network; takes some minutes.
// IMGSTORE_PACKAGE_SUITE=trixie selects another Debian.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../dist/testkit/installed.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = process.env.IMGSTORE_PACKAGE_SUITE || 'bookworm';
const mirror = 'http://deb.debian.org/debian';
const include = '--include=procps,ca-certificates';

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** @returns its exit code. */
async function run(file, ...args) {
  const child = spawn(file, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code;
}

/** Files that let a chroot reach the package registries as this machine does. */
const registryFiles = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/root/.npmrc',
  '/etc/ssl/certs/ca-certificates.crt',
];

/** Copies this machine's Node.js and npm, as if installed there manually. */
function copyNodeTo(machine) {
  const npm = dirname(dirname(realpathSync(process.env.npm_execpath)));
  copyFileSync(realpathSync(process.execPath), join(machine, 'usr/local/bin/node'));
  const modules = join(machine, 'usr/local/lib/node_modules/npm');
  cpSync(npm, modules, { recursive: true });
  return run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', `${machine}/usr/local/bin/npm`);
}

async function makeModel(model) {
  const debootstrap = { programs: ['debootstrap'], packages: ['debootstrap'] };
  await ensureInstalled({ purpose: 'Tests of a release', ...debootstrap }, console.log);
  if (await run('debootstrap', '--variant=minbase', include, suite, model, mirror))
    throw new Error('debootstrap failed.');
}

async function attempt(kind, file, model) {
  const machine = join(work, kind);
  await run('cp', '-a', model, machine);
  const place = join(machine, 'root/release');
  mkdirSync(place);
  copyFileSync(file, join(place, file.split('/').at(-1)));
  for (const script of ['try-release.sh', 'within.sh']) {
    copyFileSync(join(root, 'scripts/package', script), join(place, script));
  }
  chmodSync(join(place, 'try-release.sh'), 0o755);
  for (const path of registryFiles.filter((path) => existsSync(path))) {
    copyFileSync(path, join(machine, path));
  }
  if (kind === 'npm') await copyNodeTo(machine);
  const inside = ['/root/release/try-release.sh', kind, `/root/release/${file.split('/').at(-1)}`];
  // Any processes left behind end with their namespace.
  const alone = ['--pid', '--fork', '--kill-child', '--mount-proc', `--root=${machine}`];
  return run('unshare', ...alone, ...inside);
}

if (process.getuid() !== 0) fail('release:test makes a Debian of its own: run it as root.');
const files = existsSync(join(root, 'release')) ? readdirSync(join(root, 'release')) : [];
const packages = { deb: /\.deb$/, npm: /^imgstore-\d.*\.tgz$/ };
const kinds = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(packages);
const wanted = kinds.map((kind) => {
  const name = files.find((file) => packages[kind]?.test(file));
  if (!name) fail(`There is no ${kind} package in release/.\n  Remedy: npm run release`);
  return { kind, file: join(root, 'release', name) };
});
if (!process.env.npm_execpath) fail('Start it as npm run test:system -- release.');
const work = mkdtempSync(join(tmpdir(), 'imgstore-release-test-'));
try {
  const model = process.env.IMGSTORE_PACKAGE_MACHINE || join(work, 'model');
  if (!existsSync(model)) await makeModel(model);
  for (const { kind, file } of wanted) {
    if (await attempt(kind, file, model)) process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
