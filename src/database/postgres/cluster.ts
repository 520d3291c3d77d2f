import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rmdir, copyFile, rm, stat, truncate, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, failure, type OperatorError } from '../../base/errors/operator.js';
import {
  processStart,
  whileLocked,
  type Lock,
  acquireLock,
  readLock,
} from '../../base/os/process-lock.js';
import { lastLines } from '../../base/os/run.js';
import { minuteMs, secondMs, bytesPerMegabyte } from '../../base/units.js';
import {
  checkDataOwner,
  clusterFiles,
  clusterMajor,
  clusterPassword,
  prepareFiles,
  type ClusterFiles,
  serverIdentity,
  isListening,
} from './cluster-files.js';
import { acceptsLogin, socketUrl, superuser } from './connect.js';
import type { Engine } from './engine.js';
import { createCluster } from './initdb.js';
import {
  findPostmaster,
  hasEnded,
  launchPostmaster,
  serverProcesses,
  notEnded,
} from './postmaster.js';

/** Records in `folder` that this process uses the server; void once it has died. */
function takeLease(folder: string): Promise<Lock> {
  return acquireLock(join(folder, `${process.pid}-${randomBytes(4).toString('hex')}`));
}

/** Leases of living processes; those of dead ones are removed. Requires the cluster's lock. */
export async function countLeases(folder: string): Promise<number> {
  let living = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (await readLock(path)) living += 1;
    else await rm(path, { force: true });
  }
  return living;
}

/** Maximum size of the log of a private server; one earlier log of this size is kept. */
const maxBytes = 10 * bytesPerMegabyte;

/**
 * Moves a log that has grown too large to `….1`, replacing an earlier one. It is copied, then
 * truncated, since the server keeps the file open and appends to it; a line written in between is
 * lost. @returns whether it was moved.
 */
async function rotateLog(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size < maxBytes) return false;
  const kept = `${path}.1`;
  await rm(kept, { force: true });
  // On a full disk it cannot be kept, but truncating it is all the more urgent.
  await copyFile(path, kept).catch(() => rm(kept, { force: true }));
  await truncate(path);
  return true;
}

/** How long orphans of a killed server may delay the next start, in milliseconds. */
const orphanGraceMs = 10 * secondMs;
/** How long crash recovery may take, which replays at most a gigabyte of WAL (max_wal_size). */
const recoveryTimeoutMs = 5 * minuteMs;
/** How long a running server may take to accept a session, in milliseconds. */
const answerTimeoutMs = 20 * secondMs;
const stopTimeoutMs = minuteMs;

/** One process's use of the server; the server stops when the last lease is closed. */
export interface Lease {
  /** `postgresql://…?host=<socket folder>`, including the password. */
  readonly url: string;
  /** The same for the superuser; only for repairs. */
  readonly superuserUrl: string;
  /** Restarts the server if it has died; does nothing while it runs. */
  revive(signal?: AbortSignal): Promise<void>;
  /** Rotates the server's log if it is too large. @returns whether it was. */
  rotateLog(): Promise<boolean>;
  close(): Promise<void>;
}

/** The PostgreSQL server of one home, shared by all imgstore processes that use this home. */
export class PrivateCluster {
  readonly #files: ClusterFiles;
  /** The server that this process started last. */
  #launched: ChildProcess | undefined;

  /** @param findEngine called only when the server must be created or started. */
  constructor(
    home: Home,
    private readonly findEngine: (major?: number) => Promise<Engine>,
  ) {
    this.#files = clusterFiles(home);
  }

  async exists(): Promise<boolean> {
    return (await clusterMajor(this.#files)) !== undefined;
  }

  /** Creates the cluster if it does not exist. @returns whether it was created now. */
  async create(signal?: AbortSignal): Promise<boolean> {
    await prepareFiles(this.#files, await this.#identity());
    return this.#locked(signal, async () => {
      if (await this.exists()) return false;
      await createCluster(this.#files, await this.findEngine(), await this.#identity(), signal);
      return true;
    });
  }

  /**
   * Starts the server, or joins a running one (even one left by a killed process).
   * @throws OperatorError 69 if it does not start, 78 if its user cannot access the folders.
   */
  async open(signal?: AbortSignal): Promise<Lease> {
    await checkDataOwner(this.#files, await this.#identity());
    await prepareFiles(this.#files, await this.#identity());
    return this.#locked(signal, async () => {
      const lease = await takeLease(this.#files.leases);
      try {
        const urls = await this.#start(signal);
        return {
          ...urls,
          revive: (s) => this.#locked(s, async () => void (await this.#start(s))),
          rotateLog: () => rotateLog(this.#files.log),
          close: () => this.#leave(lease),
        };
      } catch (error) {
        await lease.release();
        if ((await countLeases(this.#files.leases)) === 0) this.#launched?.kill('SIGINT'); // unused
        throw error;
      }
    });
  }

  #identity() {
    return serverIdentity(this.#files.data);
  }

  #locked<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return whileLocked(this.#files.lock, signal, work);
  }

  async #leave(lease: Lock): Promise<void> {
    await this.#locked(undefined, async () => {
      await lease.release();
      if ((await countLeases(this.#files.leases)) === 0) await this.#stop();
    });
  }

  /** Waits for the server, starting it if there is none. A slow one is left alone. */
  async #start(signal?: AbortSignal): Promise<Pick<Lease, 'url' | 'superuserUrl'>> {
    const password = await clusterPassword(this.#files, false);
    const deadline = Date.now() + recoveryTimeoutMs;
    let launched: ChildProcess | undefined;
    let ready: number | undefined;
    while (Date.now() < deadline) {
      const running = await this.#postmaster();
      if (running?.ready) {
        ready ??= Date.now();
        const url = socketUrl(running.socketDir, password);
        const superuserUrl = socketUrl(running.socketDir, password, { user: superuser });
        if (await acceptsLogin(url)) return { url, superuserUrl };
        if (Date.now() - ready > answerTimeoutMs) throw this.#silent();
      } else if (!running && !launched) {
        this.#launched = launched = await this.#launch(signal);
      } else if (launched && hasEnded(launched)) {
        break;
      }
      await delay(20, undefined, { signal });
    }
    throw await this.#notStarted();
  }

  #silent(): OperatorError {
    return dependencyDown('The private database is running but not responding.', {
      setting: 'home',
      remedy: `check the load and the disk of this machine, and read ${this.#files.log}`,
    });
  }

  async #notStarted(): Promise<OperatorError> {
    const log = await readFile(this.#files.log, 'utf8').catch(() => '');
    return dependencyDown(`The private database does not start:\n${lastLines(log)}`, {
      remedy: `read ${this.#files.log}`,
    });
  }

  async #launch(signal?: AbortSignal): Promise<ChildProcess> {
    const engine = await this.findEngine(await clusterMajor(this.#files));
    const identity = await this.#identity();
    const deadline = Date.now() + orphanGraceMs;
    for (;;) {
      const orphans = await serverProcesses(this.#files.data, identity);
      if (orphans.length === 0) break;
      if (Date.now() > deadline) throw notEnded(orphans);
      await delay(50, undefined, { signal });
    }
    if (await isListening(this.#files.socketDir)) throw unseen();
    await rotateLog(this.#files.log);
    return launchPostmaster(this.#files, engine, identity);
  }

  async #stop(): Promise<void> {
    const running = await this.#postmaster();
    if (!running) return;
    const started = processStart(running.pid);
    process.kill(running.pid, 'SIGINT'); // PostgreSQL's fast shutdown
    const deadline = Date.now() + stopTimeoutMs;
    while (processStart(running.pid) === started) {
      if (Date.now() > deadline) {
        throw failure(`The private database (pid ${running.pid}) does not stop.`, {
          remedy: `kill -QUIT ${running.pid}`,
        });
      }
      await delay(20);
    }
    await rmdir(this.#files.socketDir).catch(() => undefined); // it may be in /tmp
  }

  async #postmaster() {
    return findPostmaster(this.#files.data, await this.#identity());
  }
}

/** No process is visible, yet one answers: starting a second server would corrupt the data. */
const unseen = (): OperatorError =>
  failure('The private database is run by a process that is not visible from here.', {
    remedy: 'run the command where imgstore serve runs, for example in the same container',
  });
