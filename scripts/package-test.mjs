// npm run test:system -- debian: runs the Debian package's life cycle in a throwaway Debian with systemd:
// install, first start, upload, upgrade, kill, watchdog, invalid settings, removal, purge. Requires
// root, apt, and a kernel that can start containers; takes some minutes.
import { spawn } from 'node:child_process';
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
import { version } from '../dist/src/base/installed-files.js';
import { ensureInstalled } from '../dist/testkit/installed.js';
import { root } from './package/tree.mjs';
import { secondMs } from '../dist/src/base/units.js';

const suite = process.env.IMGSTORE_PACKAGE_SUITE || 'bookworm';
const mirror = 'http://deb.debian.org/debian';
const started = performance.now();
const seconds = () => Math.round((performance.now() - started) / secondMs);
const step = (what) => console.log(`${String(seconds()).padStart(4)} s  ${what}`);

/** Runs a program; prints its output if it fails. */
function run(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${file} ${args.join(' ')} failed:\n${output}`));
    });
  });
}

/** Two versions of the package, compressed fast, since they are temporary. */
async function buildPackages(folder) {
  for (const [name, v] of Object.entries({ old: version(), new: `${version()}+next` })) {
    const program = join(root, 'scripts/package-deb.mjs');
    const options = ['--out', folder, '--compression', 'none', '--version', v];
    const file = await run(process.execPath, [program, ...options]);
    renameSync(file.trim(), join(folder, `${name}.deb`));
  }
}

async function makeMachine(machine) {
  const include = '--include=systemd,systemd-sysv,procps,ca-certificates';
  await run('debootstrap', ['--variant=minbase', include, suite, machine, mirror]);
  // The distribution's own database server is not used.
  mkdirSync(join(machine, 'etc/postgresql-common/createcluster.d'), { recursive: true });
  writeFileSync(
    join(machine, 'etc/postgresql-common/createcluster.d/none.conf'),
    'create_main_cluster = false\n',
  );
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
async function live(machine) {
  writeFileSync(join(machine, 'etc/systemd/system/life.service'), lifeUnit);
  const options = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--private-network',
    '--console=pipe',
  ];
  const boot = ['--boot', `--directory=${machine}`, 'systemd.unit=life.service'];
  await run('systemd-nspawn', [...options, ...boot]);
  return readFileSync(join(machine, 'root/life/log'), 'utf8');
}

if (process.getuid() !== 0) {
  console.error('package:test creates a separate Debian and boots it: run it as root.');
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), 'imgstore-life-'));
try {
  const wantedHere = {
    purpose: 'Tests of the Debian package',
    programs: ['debootstrap', 'systemd-nspawn'],
    packages: ['debootstrap', 'systemd-container'],
  };
  await ensureInstalled(wantedHere, step);
  const machine = join(work, suite);
  step(`creating a Debian (${suite}) and two versions of the package`);
  await Promise.all([makeMachine(machine), buildPackages(work)]);
  const life = join(machine, 'root/life');
  mkdirSync(life);
  for (const name of ['old.deb', 'new.deb']) copyFileSync(join(work, name), join(life, name));
  for (const name of ['life.sh', 'within.sh', 'upload.mjs']) {
    copyFileSync(join(root, 'scripts/package', name), join(life, name));
  }
  chmodSync(join(life, 'life.sh'), 0o755);
  step('installing it without systemd running');
  const wanted = ['/root/life/old.deb', 'postgresql', 'postgresql-postgis'];
  const apt = ['apt-get', '-qy', '--no-install-recommends', 'install', ...wanted];
  await run('chroot', [machine, 'env', 'DEBIAN_FRONTEND=noninteractive', ...apt]);
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
