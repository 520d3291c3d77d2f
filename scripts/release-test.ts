// npm run test:system -- release [deb|npm]: installs each package of release/ in a clean Debian and uploads
// a picture there. Requires root, apt, and a network; takes some minutes.
// IMGSTORE_PACKAGE_SUITE=trixie selects another Debian.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { version } from '../src/base/installed-files.js';
import { makeDebian, requireRoot } from './package/throwaway-debian.js';
import { root } from './package/tree.js';

const suite = process.env.IMGSTORE_PACKAGE_SUITE || 'bookworm';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** @returns its exit code. */
async function run(file: string, ...args: readonly string[]): Promise<number | null> {
  const child = spawn(file, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
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
function copyNodeTo(machine: string): Promise<number | null> {
  const npm = dirname(dirname(realpathSync(npmProgram)));
  copyFileSync(realpathSync(process.execPath), join(machine, 'usr/local/bin/node'));
  const modules = join(machine, 'usr/local/lib/node_modules/npm');
  cpSync(npm, modules, { recursive: true });
  return run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', `${machine}/usr/local/bin/npm`);
}

async function attempt(kind: string, file: string, model: string): Promise<number | null> {
  const machine = join(work, kind);
  await run('cp', '-a', model, machine);
  const place = join(machine, 'root/release');
  mkdirSync(place);
  copyFileSync(file, join(place, basename(file)));
  for (const script of ['try-release.sh', 'within.sh']) {
    copyFileSync(join(root, 'scripts/package', script), join(place, script));
  }
  chmodSync(join(place, 'try-release.sh'), 0o755);
  for (const path of registryFiles.filter((path) => existsSync(path))) {
    copyFileSync(path, join(machine, path));
  }
  if (kind === 'npm') await copyNodeTo(machine);
  const release = '/root/release';
  const inside = [`${release}/try-release.sh`, kind, `${release}/${basename(file)}`, version()];
  // Any processes left behind end with their namespace.
  const alone = ['--pid', '--fork', '--kill-child', '--mount-proc', `--root=${machine}`];
  return run('unshare', ...alone, ...inside);
}

requireRoot('test:system -- release makes a Debian of its own');
const files = existsSync(join(root, 'release')) ? readdirSync(join(root, 'release')) : [];
const packages = new Map([
  ['deb', /\.deb$/],
  ['npm', /^imgstore-\d.*\.tgz$/],
]);
const kinds = process.argv.length > 2 ? process.argv.slice(2) : [...packages.keys()];
const wanted = kinds.map((kind) => {
  const name = files.find((file) => packages.get(kind)?.test(file));
  if (!name) fail(`There is no ${kind} package in release/.\n  Remedy: npm run release`);
  return { kind, file: join(root, 'release', name) };
});
const npmProgram = process.env.npm_execpath ?? fail('Start it as npm run test:system -- release.');
const work = mkdtempSync(join(tmpdir(), 'imgstore-release-test-'));
try {
  const model = process.env.IMGSTORE_PACKAGE_MACHINE || join(work, 'model');
  if (!existsSync(model)) await makeDebian(model, suite, ['procps']);
  for (const { kind, file } of wanted) {
    if (await attempt(kind, file, model)) process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
