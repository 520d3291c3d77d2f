import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dependencyDown, type OperatorError } from '../../base/errors/operator.js';
import { makeSocketDirectory, type ClusterFiles } from './cluster-files.js';
import type { Engine } from './engine.js';
import { errnoOf } from '../../base/os/files.js';
import { run, type Identity } from '../../base/os/run.js';
import { secondMs } from '../../base/units.js';

/** How long killed processes may take to end, in milliseconds. */
const endTimeoutMs = 10 * secondMs;

const pidFile = (dataDir: string): string => join(dataDir, 'postmaster.pid');

/** The working directories of processes that only their own user may inspect. */
async function readFolders(
  pids: readonly string[],
  as: Identity | undefined,
): Promise<Map<string, string>> {
  const script = 'for p; do echo "$p $(readlink /proc/$p/cwd)"; done';
  const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...pids], { as });
  const lines = stdout.trim().split('\n');
  return new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\d+ /, '')]));
}

/** Pids of the processes of the cluster in `dataDir`: each has it as its working directory. */
export async function serverProcesses(
  dataDir: string,
  identity: Identity | undefined,
): Promise<number[]> {
  const dir = await realpath(dataDir);
  const found: string[] = [];
  const closed: string[] = [];
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (!program.startsWith('postgres')) continue;
    try {
      if ((await readlink(`/proc/${pid}/cwd`)) === dir) found.push(pid);
    } catch (error) {
      // Root in a container (without CAP_SYS_PTRACE) may not inspect other users' processes.
      if (errnoOf(error) === 'EACCES') closed.push(pid);
    }
  }
  if (closed.length > 0 && identity) {
    const folders = await readFolders(closed, identity);
    found.push(...closed.filter((pid) => folders.get(pid) === dir));
  }
  return found.map(Number);
}

interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
  /** False while it starts, recovers, or stops. */
  readonly ready: boolean;
}

/** The running server of a data directory, which may have been started by a process long dead. */
export async function findPostmaster(
  dataDir: string,
  identity: Identity | undefined,
): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(dataDir), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!pid || !(await serverProcesses(dataDir, identity)).includes(pid)) return undefined;
  return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** Kills the processes of a cluster that will not be used again, and waits for them. */
export async function endProcesses(dataDir: string, identity: Identity | undefined): Promise<void> {
  const began = Date.now();
  for (;;) {
    const pids = await serverProcesses(dataDir, identity);
    if (pids.length === 0) return;
    if (Date.now() - began > endTimeoutMs) throw notEnded(pids);
    for (const pid of pids) kill(pid);
    await delay(20);
  }
}

export const notEnded = (pids: readonly number[]): OperatorError =>
  dependencyDown('Processes of a killed database server are still running.', {
    remedy: `kill -QUIT ${pids.join(' ')}`,
  });

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has already ended
  }
}

/**
 * Removes what a killed server left: its pid file and its socket's lock. Either would prevent the
 * next start once the pid in it is reused.
 */
async function removeStaleFiles(dataDir: string, socketDir: string): Promise<void> {
  await rm(pidFile(dataDir), { force: true });
  for (const name of await readdir(socketDir).catch(() => [])) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(socketDir, name), { force: true });
  }
}

/**
 * Starts the server's program in its own session, detached from our terminal, descriptors, and
 * environment. (Not with pg_ctl, which passes paths to a shell unquoted.) It outlives this process.
 * Call it only if no process of the cluster is alive: the pid file, which prevents a second server
 * from using the data, is removed.
 */
export async function launchPostmaster(
  files: ClusterFiles,
  engine: Engine,
  identity: Identity | undefined,
): Promise<ChildProcess> {
  await makeSocketDirectory(files.socketDir, identity);
  await removeStaleFiles(files.data, files.socketDir);
  const log = await open(files.log, 'a', 0o600);
  try {
    const settings = {
      listen_addresses: '',
      port: '5432', // the name of the socket
      unix_socket_directories: `"${files.socketDir.replaceAll('"', '""')}"`, // a list of names
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(engine.bin, 'postgres'), ['-D', files.data, ...args], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, ...engine.env },
      stdio: ['ignore', log.fd, log.fd],
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Stops a server that this process has launched, and waits for its exit. */
export async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
