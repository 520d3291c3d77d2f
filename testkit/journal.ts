import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { access, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../src/base/os/run.js';
import { type Ran, cleanEnv, program } from './command.js';
import { eventually } from './eventually.js';
import type { Scope } from './scope.js';

const journald = '/usr/lib/systemd/systemd-journald';

const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** The cgroup file system in which this process may create the cgroups that the journal reads. */
const groups = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find(
  (path) => may(join(path, 'cgroup.procs'), constants.W_OK) && may(path, constants.W_OK),
);

/** Options for tests that need a journal; only root may mount file systems and create cgroups. */
export const needsJournal: { skip?: string } =
  process.getuid?.() === 0 && groups !== undefined && may(journald, constants.X_OK)
    ? {}
    : { skip: 'needs systemd-journald, root, and cgroups that may be written' };

/** A separate journald, whose sockets and files are visible only to programs started here. */
export class Journal {
  private constructor(private readonly daemon: ChildProcess) {}

  static async start(scope: Scope): Promise<Journal> {
    const mounts = ['/run', '/var/log'].map((path) => `mount -t tmpfs tmpfs ${path}`);
    const line = [...mounts, 'mkdir -p /run/systemd/journal', `exec ${journald}`].join(' && ');
    const daemon = spawn('unshare', ['--mount', 'sh', '-c', line], { stdio: 'ignore' });
    scope.after(() => stopped(daemon));
    const socket = `/proc/${daemon.pid}/root/run/systemd/journal/stdout`;
    await eventually('journald listens', async () =>
      access(socket).then(
        () => true,
        () => false,
      ),
    );
    return new Journal(daemon);
  }

  /** Starts imgstore like a systemd unit: in a cgroup of that name, logging to the journal. */
  async startUnit(scope: Scope, unit: string, args: readonly string[]): Promise<void> {
    const group = join(groups ?? '', unit);
    await mkdir(group);
    scope.after(() => rmdir(group));
    const line = `echo $$ > ${group}/cgroup.procs && exec systemd-cat "$@"`;
    const words = [...this.#inside, 'sh', '-c', line, 'sh', program, ...args];
    const service = spawn('nsenter', words, { env: cleanEnv({}), stdio: 'ignore' });
    scope.after(() => stopped(service));
  }

  /** Runs imgstore in the mount namespace of the journal. */
  async imgstore(...args: string[]): Promise<Pick<Ran, 'code' | 'stdout'>> {
    return run('nsenter', [...this.#inside, program, ...args]);
  }

  get #inside(): string[] {
    return [`--mount=/proc/${this.daemon.pid}/ns/mnt`];
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
