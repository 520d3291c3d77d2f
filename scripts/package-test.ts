// npm run test:system -- debian: runs the Debian package's life cycle in a throwaway Debian with systemd:
// install, first start, upload, upgrade, kill, watchdog, invalid settings, removal, purge. Requires
// root, apt, and a kernel that can start containers; takes some minutes.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../src/base/installed-files.js';
import { secondMs } from '../src/base/units.js';
import { ensureInstalled } from '../testkit/installed.js';
import { makeDebian, mustRun, refuseClusters, requireRoot } from './package/throwaway-debian.js';
import { root } from './package/tree.js';

const suite = process.env.IMGSTORE_PACKAGE_SUITE || 'bookworm';
const inside = ['systemd', 'systemd-sysv', 'procps'];
const started = performance.now();
const seconds = (): number => Math.round((performance.now() - started) / secondMs);
const step = (what: string): void => console.log(`${String(seconds()).padStart(4)} s  ${what}`);

/** Two versions of the package, compressed fast, since they are temporary. */
async function buildPackages(folder: string): Promise<void> {
  const versions = { old: [], new: ['--version', `${version()}.next`] };
  for (const [name, given] of Object.entries(versions)) {
    const program = join(root, 'dist/scripts/package-deb.js');
    const options = ['--out', folder, '--compression', 'none', ...given];
    const file = await mustRun(process.execPath, program, ...options);
    renameSync(file.trim(), join(folder, `${name}.deb`));
  }
}

const lifeUnit = `[Unit]
After=network.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
TimeoutStartSec=10min
StandardOutput=file:/root/life/log
StandardError=file:/root/life/log
ExecStart=/root/life/life.sh /root/life
`;

/** Boots the machine, which runs everything and shuts itself down. */
async function live(machine: string): Promise<string> {
  writeFileSync(join(machine, 'etc/systemd/system/life.service'), lifeUnit);
  const options = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--private-network',
    '--console=pipe',
  ];
  const boot = ['--boot', `--directory=${machine}`, 'systemd.unit=life.service'];
  await mustRun('systemd-nspawn', ...options, ...boot);
  return readFileSync(join(machine, 'root/life/log'), 'utf8');
}

requireRoot('test:system -- debian creates a separate Debian and boots it');
const work = mkdtempSync(join(tmpdir(), 'imgstore-life-'));
try {
  const wantedHere = {
    purpose: 'Tests of the Debian package',
    programs: ['systemd-nspawn'],
    packages: ['systemd-container'],
  };
  await ensureInstalled(wantedHere, step);
  const machine = join(work, suite);
  step(`creating a Debian (${suite}) and two versions of the package`);
  await Promise.all([makeDebian(machine, suite, inside), buildPackages(work)]);
  refuseClusters(machine);
  const life = join(machine, 'root/life');
  mkdirSync(life);
  for (const name of ['old.deb', 'new.deb']) copyFileSync(join(work, name), join(life, name));
  for (const name of ['life.sh', 'within.sh']) {
    copyFileSync(join(root, 'scripts/package', name), join(life, name));
  }
  copyFileSync(join(root, 'dist/scripts/package/upload.js'), join(life, 'upload.mjs'));
  chmodSync(join(life, 'life.sh'), 0o755);
  step('installing it without systemd running');
  const wanted = ['/root/life/old.deb', 'postgresql', 'postgresql-postgis'];
  const apt = ['apt-get', '-qy', '--no-install-recommends', 'install', ...wanted];
  await mustRun('chroot', machine, 'env', 'DEBIAN_FRONTEND=noninteractive', ...apt);
  step('booting');
  const log = await live(machine);
  const results = log.split('\n').filter((line) => /^(not )?ok /.test(line));
  console.log(results.join('\n'));
  const failed = results.filter((line) => line.startsWith('not ok'));
  if (failed.length > 0 || results.length === 0) console.error(log);
  step(`${results.length - failed.length} of ${results.length} passed`);
  process.exitCode = failed.length > 0 || results.length === 0 ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}
