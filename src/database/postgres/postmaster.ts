import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { failure, type OperatorError } from '../../base/errors/operator.js';
import { openLockFile, readLock, tryLock, type Lock } from '../../base/os/process-lock.js';
import { type Identity, signalChild } from '../../base/os/run.js';
import { minuteMs } from '../../base/units.js';
import { makeSocketDirectory, type ClusterFiles } from './cluster-files.js';
import type { Engine } from './engine.js';

/** How long a server may take to stop that nobody uses any more, in milliseconds. */
export const stopTimeoutMs = minuteMs;

/** Both locks of the files of a cluster: no server runs, and nobody starts or awaits one. */
export interface Alone {
  readonly lock: Lock;
  release(): Promise<void>;
}

/** @returns undefined if somebody uses the server, or it is still stopping. */
export async function tryAlone(files: ClusterFiles): Promise<Alone | undefined> {
  const users = await tryLock(files.users);
  if (!users) return undefined;
  const lock = await tryLock(files.lock);
  if (!lock) await users.release();
  return lock && { lock, release: async () => void (await lock.release(), await users.release()) };
}

/**
 * Runs `work` with files that no server uses; those that it starts on them end with this process.
 * @throws OperatorError 1 if the server is in use, or does not stop.
 */
export async function withoutServer<T>(
  files: ClusterFiles,
  signal: AbortSignal | undefined,
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + stopTimeoutMs;
  for (;;) {
    const alone = await tryAlone(files);
    if (alone) return work(alone.lock).finally(() => alone.release());
    if (Date.now() > deadline) throw await inUse(files);
    await delay(50, undefined, { signal });
  }
}

/** The server runs, and this process may not or cannot use it. */
export async function inUse(files: ClusterFiles, why = ''): Promise<OperatorError> {
  const holder = await readLock(files.lock);
  const by = holder ? `, started by ${holder.name}` : '';
  return failure(`The private database is in use${by}${why}.`, {
    code: 'in_use',
    setting: 'home',
    remedy: `Stop what uses it; its processes hold ${files.lock}: fuser -v ${files.lock}`,
  });
}

/**
 * Runs the server ($@) until nobody holds the lock of its users (4) any more, even if whoever
 * started it was killed. Only the server keeps its own lock (3), in all of its processes.
 */
const guard = `
  server=
  trap 'kill -INT "\${server:-$!}"' INT
  trap 'kill -QUIT "\${server:-$!}"' QUIT
  "$@" 4<&- &
  server=$!
  { flock -x 4 && while kill -INT "$server" 2>&-; do sleep 1; done; } 3<&- &
  while kill -0 "$server" 2>&-; do wait "$server"; code=$?; done
  trap '' TERM
  kill -TERM 0
  exit "$code"`;

/**
 * Starts the server's program in its own session, detached from our terminal, descriptors, and
 * environment. (Not with pg_ctl, which passes paths to a shell unquoted.) It ends once no process
 * holds the lock of its users; this one must hold it.
 * @param lock of its files, which this process may release: the server has it then. It proves that
 * no server runs, so what a killed one left is removed: a pid that is used again, the socket's lock.
 */
export async function launchPostmaster(
  files: ClusterFiles,
  engine: Engine,
  identity: Identity | undefined,
  lock: Lock,
): Promise<ChildProcess> {
  await makeSocketDirectory(files.socketDir, identity);
  await rm(join(files.data, 'postmaster.pid'), { force: true });
  for (const name of await readdir(files.socketDir)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(files.socketDir, name), { force: true });
  }
  await lock.update({});
  const settings = {
    listen_addresses: '',
    port: '5432', // the name of the socket
    unix_socket_directories: `"${files.socketDir.replaceAll('"', '""')}"`, // a list of names
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = [join(engine.bin, 'postgres'), '-D', files.data, ...args];
  const log = await open(files.log, 'a', 0o600);
  const users = openLockFile(files.users);
  try {
    const child = spawn('/bin/sh', ['-c', guard, 'sh', ...program], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, ...engine.env },
      stdio: ['ignore', log.fd, log.fd, lock.fd, users],
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    closeSync(users);
    await log.close();
  }
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Stops a server that this process has launched, and waits for its exit. */
export async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  signalChild(child, signal);
  await ended;
}
