import type { ChildProcess } from 'node:child_process';
import { readFile, rmdir, copyFile, rm, stat, truncate } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, failure, type OperatorError } from '../../base/errors/operator.js';
import { tryLock, waitForLock, type Lock } from '../../base/os/process-lock.js';
import { lastLines } from '../../base/os/run.js';
import { secondMs, bytesPerMegabyte } from '../../base/units.js';
import type { Report } from './apt.js';
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
import { socketUrl, superuser, tryLogin } from './connect.js';
import type { Engine } from './engine.js';
import { createCluster } from './initdb.js';
import { hasEnded, inUse, launchPostmaster, stopTimeoutMs, tryAlone } from './postmaster.js';

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

/** How long a running server may take to accept a session, in milliseconds. */
const answerTimeoutMs = 20 * secondMs;
/** How often its progress is reported while it recovers, in milliseconds. */
const reportEveryMs = 10 * secondMs;

/** One process's use of the server, which stops when the last one has closed its own. */
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

  /** @param findEngine called only when the server must be created or started. */
  constructor(
    home: Home,
    private readonly findEngine: (major?: number) => Promise<Engine>,
    private readonly report: Report = () => undefined,
  ) {
    this.#files = clusterFiles(home);
  }

  async exists(): Promise<boolean> {
    return (await clusterMajor(this.#files)) !== undefined;
  }

  /** Creates the cluster if it does not exist. @returns whether it was created now. */
  async create(signal?: AbortSignal): Promise<boolean> {
    await prepareFiles(this.#files, await this.#identity());
    while (!(await this.exists())) {
      const alone = await tryAlone(this.#files);
      try {
        if (alone && !(await this.exists())) {
          const [engine, identity] = [await this.findEngine(), await this.#identity()];
          const { lock } = alone;
          await createCluster({ files: this.#files, engine, identity, lock, signal });
          return true;
        }
      } finally {
        await alone?.release();
      }
      await delay(50, undefined, { signal }); // somebody else creates it
    }
    return false;
  }

  /**
   * Starts the server, or joins the one that other processes use.
   * @throws OperatorError 69 if it does not start, 78 if its user cannot access the folders.
   */
  async open(signal?: AbortSignal): Promise<Lease> {
    await checkDataOwner(this.#files, await this.#identity());
    await prepareFiles(this.#files, await this.#identity());
    // Waits while a server stops that nobody used.
    const use = await waitForLock(this.#files.users, 'shared', signal);
    try {
      const urls = await this.#start(signal);
      return {
        ...urls,
        revive: async (s) => void (await this.#start(s)),
        rotateLog: () => rotateLog(this.#files.log),
        close: () => this.#leave(use),
      };
    } catch (error) {
      await use.release(); // it stops, if this was its only user
      throw error;
    }
  }

  #identity() {
    return serverIdentity(this.#files.data);
  }

  /**
   * Waits for the server, starting it if there is none. One that recovers is waited for, however
   * long it takes: it would begin again.
   */
  async #start(signal?: AbortSignal): Promise<Pick<Lease, 'url' | 'superuserUrl'>> {
    const password = await clusterPassword(this.#files, false);
    const url = socketUrl(this.#files.socketDir, password);
    let launched: ChildProcess | undefined;
    const began = Date.now();
    let [answered, reported] = [began, began];
    for (;;) {
      const answer = await tryLogin(url);
      if (answer === 'open') break;
      if (launched && hasEnded(launched)) throw await this.#notStarted();
      if (answer !== 'starting' && !launched) launched = await this.#launch();
      if (answer === 'starting' || (launched && isUnheard(answer))) {
        answered = Date.now();
        if (answered - reported > reportEveryMs) {
          this.report(`Waiting for the private database: ${await this.#progress()}`);
          reported = answered;
        }
      } else if (Date.now() - answered > answerTimeoutMs) throw this.#silent(answer);
      // Less and less often: it logs each attempt.
      await delay(Math.min(20 + (Date.now() - began) / 10, secondMs), undefined, { signal });
    }
    const superuserUrl = socketUrl(this.#files.socketDir, password, { user: superuser });
    return { url, superuserUrl };
  }

  #silent({ message }: Error): OperatorError {
    return dependencyDown(`The private database is running but not responding: ${message}.`, {
      setting: 'home',
      remedy: `check the load and the disk of this machine, and read ${this.#files.log}; its processes hold ${this.#files.lock}`,
    });
  }

  #log(): Promise<string> {
    return readFile(this.#files.log, 'utf8').catch(() => '');
  }

  /** Since PostgreSQL 15, the position in the WAL, every 10 s. */
  async #progress(): Promise<string> {
    return [...(await this.#log()).matchAll(/ LOG: +(.*)/g)].at(-1)?.[1] ?? 'it starts';
  }

  async #notStarted(): Promise<OperatorError> {
    return dependencyDown(`The private database does not start:\n${lastLines(await this.#log())}`, {
      remedy: `read ${this.#files.log}`,
    });
  }

  /** @returns undefined while processes of a server hold its lock, even of a killed one. */
  async #launch(): Promise<ChildProcess | undefined> {
    const lock = await tryLock(this.#files.lock);
    if (!lock) return undefined;
    try {
      const engine = await this.findEngine(await clusterMajor(this.#files));
      if (await isListening(this.#files.socketDir)) throw await inUse(this.#files, unlocked);
      await rotateLog(this.#files.log);
      return await launchPostmaster(this.#files, engine, await this.#identity(), lock);
    } finally {
      await lock.release();
    }
  }

  /** Releases the server, and waits for its end if nobody else uses it. */
  async #leave(use: Lock): Promise<void> {
    await use.release();
    const { lock, users, socketDir } = this.#files;
    const free = async (path: string, mode: 'exclusive' | 'shared'): Promise<boolean> => {
      const taken = await tryLock(path, mode);
      await taken?.release();
      return taken !== undefined;
    };
    let shared = 0;
    for (const deadline = Date.now() + stopTimeoutMs; !(await free(lock, 'exclusive'));) {
      // Others share the lock of its users; only what stops the server holds it alone. Seen once, it
      // may be another that leaves, too.
      const used = !(await free(users, 'exclusive')) && (await free(users, 'shared'));
      shared = used ? shared + 1 : 0;
      if (shared > 1) return;
      if (Date.now() > deadline) {
        throw failure('The private database does not stop.', {
          remedy: `read ${this.#files.log}; its processes hold ${lock}: fuser -v ${lock}`,
        });
      }
      await delay(20);
    }
    await rmdir(socketDir).catch(() => undefined); // it may be in /tmp
  }
}

/** Whether nobody listens, yet. */
const isUnheard = (error: Error): boolean => 'syscall' in error && error.syscall === 'connect';

/** Starting a second server would corrupt the data. */
const unlocked = ' by a server that does not hold its lock, as of an earlier version';
