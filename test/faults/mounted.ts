import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { program } from '../support/command.js';
import type { Scope } from '../support/service.js';
import type { CreatedPlatform, CreatedUser } from '../support/records.js';
import { eventually } from './support.js';

// A mount that only the service sees: root may make one, others within a user namespace of theirs.
const unshare = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];
const able =
  spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Why tests with a mount of their own are left out here; false where they are not. */
export const skipMounts = able
  ? false
  : 'this kernel lets nobody mount: there is no other way to a full disk';

export interface MountedService {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly address: string;
  readonly platform: CreatedPlatform;
  readonly user: CreatedUser;
  /** A path as the service sees it, behind its mount. */
  readonly inside: (path: string) => string;
}

/**
 * Runs `imgstore up` with a file system of its own at `folder`, which exists.
 * @param setUp shell commands between mounting and starting; the folder is `$1`.
 */
export async function mountedService(
  scope: Scope,
  mount: { folder: string; megabytes: number; setUp?: string },
  args: readonly string[],
): Promise<MountedService> {
  const { folder, megabytes, setUp = ':' } = mount;
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$1" && ${setUp} && shift && exec "$@"`;
  const command = [process.execPath, program, 'up', '--port', '0', '--json', ...args];
  const child = spawn('unshare', [...unshare, 'sh', '-c', script, 'sh', folder, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  scope.after(async () => void child.kill('SIGKILL'));
  let out = '';
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await eventually('it serves', async () => {
    if (child.exitCode !== null) throw new Error(`imgstore up ended: ${out}${log}`);
    return out.endsWith('\n}\n');
  });
  const greeting = JSON.parse(out) as Omit<MountedService, 'child' | 'inside'>;
  // Seen from outside its mount the folder is empty; its own view is in /proc.
  return { ...greeting, child, inside: (path) => `/proc/${child.pid}/root${path}` };
}
