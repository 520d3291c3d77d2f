// The second part of npm run test:system -- upgrade: upgrades a private database from PostgreSQL 15 to 17, in a
// throwaway Debian that has both, like a machine after an upgrade from bookworm to trixie. Requires
// root and apt, and takes some minutes. IMGSTORE_UPGRADE_MACHINE sets the folder of a Debian, which is
// reused if it exists, and kept.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../dist/testkit/installed.js';
import { root } from './package/tree.mjs';

const mirror = 'http://deb.debian.org/debian';

/** Runs a program; its output is shown, or kept for the error if it fails. */
function run(file, args, shown = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', shown ? 'inherit' : 'pipe', 'pipe'] });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${file} ${args.join(' ')} failed:\n${output}`));
    });
  });
}

const apt = ['-qy', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', 'install'];

async function makeMachine(machine) {
  const debootstrap = { programs: ['debootstrap'], packages: ['debootstrap'] };
  await ensureInstalled({ purpose: 'Tests of upgrades', ...debootstrap }, console.log);
  const include = '--include=ca-certificates,procps';
  await run('debootstrap', ['--variant=minbase', include, 'trixie', machine, mirror]);
  const noCluster = join(machine, 'etc/postgresql-common/createcluster.d');
  mkdirSync(noCluster, { recursive: true });
  writeFileSync(join(noCluster, 'none.conf'), 'create_main_cluster = false\n');
  const suites = ['trixie', 'bookworm'].map((suite) => `deb ${mirror} ${suite} main\n`);
  writeFileSync(join(machine, 'etc/apt/sources.list'), suites.join(''));
  const within = ['chroot', machine, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  await run('/usr/bin/env', [...within, '-q', 'update']);
  const packages = ['postgresql-15-postgis-3', 'postgresql-17-postgis-3'];
  await run('/usr/bin/env', [...within, ...apt, ...packages]);
}

/** Runs in a separate mount namespace, so nothing stays mounted. */
const enter = `
set -e
mkdir -p "$1/imgstore"; touch "$1/usr/local/bin/node"
mount --bind "$2" "$1/imgstore"
mount --bind "$3" "$1/usr/local/bin/node"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
rm -rf "$1/home/imgstore"; mkdir -p "$1/home/imgstore"
exec chroot "$1" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin /root/within.sh`;

if (process.getuid() !== 0) {
  console.error('upgrade:test creates a separate Debian: run it as root.');
  process.exit(1);
}
const given = process.env.IMGSTORE_UPGRADE_MACHINE;
const work = given ? undefined : mkdtempSync(join(tmpdir(), 'imgstore-upgrade-'));
try {
  const machine = given ?? join(work, 'trixie');
  if (!existsSync(join(machine, 'usr/lib/postgresql/17'))) {
    console.log('creating a Debian with PostgreSQL 15 and 17');
    await makeMachine(machine);
  }
  copyFileSync(join(root, 'scripts/upgrade/within.sh'), join(machine, 'root/within.sh'));
  const names = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
  const words = [...names, 'bash', '-c', enter, 'sh', machine, root, process.execPath];
  await run('unshare', words, true);
} finally {
  if (work) rmSync(work, { recursive: true, force: true });
}
