import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Home } from '../../src/base/config/home.js';
import { program } from '../../testkit/command.js';
import type { Scope } from '../../testkit/scope.js';
import { Appliance, greeted } from '../../testkit/appliance.js';

/**
 * For a mount that only the service sees: root can create one, other users only within a user
 * namespace.
 */
export const unshare = [
  '--mount',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
];
const able =
  spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Why tests with a small disk are skipped; false if they are not. */
export const mountable = able
  ? false
  : 'this kernel does not permit mounts, and there is no other way to get a small disk';

const script = `
  mount -t tmpfs -o "size=$2m,nr_inodes=4k,mode=755" tmpfs "$1" && cd "$1" || exit 1
  for file in $3; do mkdir -p "$(dirname "$file")" && touch "$file"; done
  [ -z "$4" ] || ln -s "$4" "$1/engine"
  shift 4 && cd / && exec "$@"`;

/** Starts `imgstore up` with a file system of that size and 4,096 files at `folder`, which exists. */
export async function serveWithMount(
  scope: Scope,
  mount: {
    readonly home: Home;
    readonly folder: string;
    readonly megabytes: number;
    /** Files that are created there before it starts. */
    readonly leftovers?: readonly string[];
    /** Database programs that are linked as `engine`. */
    readonly engine?: string;
    readonly args?: readonly string[];
  },
): Promise<Appliance> {
  const { home, folder, megabytes, leftovers = [], engine = '', args = [] } = mount;
  const files = leftovers.join(' ');
  const shell = ['sh', '-c', script, 'sh', folder, String(megabytes), files, engine];
  const up = [
    process.execPath,
    program,
    'up',
    '--home',
    home.dir,
    '--port',
    '0',
    '--json',
    ...args,
  ];
  const child = spawn('unshare', [...unshare, ...shell, ...up]);
  child.stdin.end();
  scope.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return new Appliance(home, await greeted(child));
}
