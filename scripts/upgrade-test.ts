// The second part of npm run test:system -- upgrade: upgrades a private database from PostgreSQL 15 to 17, in a
// throwaway Debian that has both, like a machine after an upgrade from bookworm to trixie. Requires
// root and apt, and takes some minutes. IMGSTORE_UPGRADE_MACHINE sets the folder of a Debian, which is
// reused if it exists, and kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeDebian,
  mirror,
  mustRun,
  refuseClusters,
  requireRoot,
} from './package/throwaway-debian.js';
import { root } from './package/tree.js';

const apt = ['-qy', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', 'install'];

async function makeMachine(machine: string): Promise<void> {
  await makeDebian(machine, 'trixie', ['procps']);
  refuseClusters(machine);
  const suites = ['trixie', 'bookworm'].map((suite) => `deb ${mirror} ${suite} main\n`);
  writeFileSync(join(machine, 'etc/apt/sources.list'), suites.join(''));
  const within = [machine, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  await mustRun('chroot', ...within, '-q', 'update');
  const packages = ['postgresql-15-postgis-3', 'postgresql-17-postgis-3'];
  await mustRun('chroot', ...within, ...apt, ...packages);
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

requireRoot('test:system -- upgrade creates a separate Debian');
const given = process.env.IMGSTORE_UPGRADE_MACHINE;
const work = mkdtempSync(join(tmpdir(), 'imgstore-upgrade-'));
try {
  const machine = given ?? join(work, 'trixie');
  if (!existsSync(join(machine, 'usr/lib/postgresql/17'))) {
    console.log('creating a Debian with PostgreSQL 15 and 17');
    await makeMachine(machine);
  }
  copyFileSync(join(root, 'scripts/upgrade/within.sh'), join(machine, 'root/within.sh'));
  const names = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
  const words = [...names, 'bash', '-c', enter, 'sh', machine, root, process.execPath];
  const [code] = (await once(spawn('unshare', words, { stdio: 'inherit' }), 'exit')) as [
    number | null,
  ];
  if (code !== 0) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
