import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dependencyDown, ExitCode, failure, OperatorError } from '../../base/errors/operator.js';
import { acquireLock, LockHeldError, readLock, type Lock } from '../../base/os/process-lock.js';
import { dayMs, secondMs } from '../../base/units.js';
import { isConnectionError } from '../../database/connection-error.js';
import { readInstance } from '../../database/instance.js';
import { explained } from '../backup/backup.js';
import { emptyFolder } from '../backup/open-repository.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { writeWalRecord } from '../backup/records.js';
import {
  ensureArchive,
  readProgress,
  segmentsOf,
  writeProgress,
  pruneStretches,
  removeUnfinished,
  type Stretch,
} from './archive.js';
import { findWalPrograms, Receiver } from './programs.js';
import { sealSegments } from './segments.js';
import {
  limitRetainedWal,
  freeSlots,
  slotOf,
  commitEmpty,
  hasReceived,
  selectWalPosition,
  selectWalServer,
} from './server.js';
import {
  ObjectPasses,
  beginStretch,
  findResumable,
  resumeStretch,
  type RunningStretch,
  type StretchParts,
  type WalParts,
} from './stretches.js';

/** Between two checks for new objects. */
const passMs = 10 * secondMs;
/** Age at which a stretch is succeeded by a new one: a longer one takes longer to replay. */
const stretchMs = 7 * dayMs;
/** How long a round waits for WAL to be received before it gives up. */
const receiveMs = 5 * secondMs;
const pollMs = 50;
/** Rounds that may fail in succession. */
const maxFailures = 5;

/**
 * Copies the files of a private database, then receives its WAL and copies new objects until it is
 * interrupted. Resumes where an earlier run stopped; if the server no longer has the WAL since
 * then, makes a new base backup.
 * @returns the range that can be restored from the last stretch. @throws OperatorError.
 */
export async function keepWal(parts: WalParts) {
  const { db, home, repository, store } = parts;
  const lock = await claim(parts);
  try {
    await store.check();
    const { id: instanceId } = await readInstance(db);
    await ensureArchive(repository, instanceId);
    return await explained(repository, async () => {
      const wal = await selectWalServer(db);
      if (wal.unbounded) await limitRetainedWal(parts.superuserUrl);
      const major = Math.floor(wal.version / 10_000);
      const programs = await findWalPrograms(home, major, parts.superuserUrl);
      const passes = new ObjectPasses(parts);
      return new WalKeeper({ ...parts, instanceId, wal, programs, passes }).run();
    });
  } finally {
    await lock.release();
  }
}

/** @throws OperatorError 1 if another process archives the WAL of this home. */
async function claim({ home, repository }: WalParts): Promise<Lock> {
  try {
    return await acquireLock(join(home.run, 'wal.lock'), { archive: repository.name });
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const { pid, info } = error.holder;
    throw failure(`Process ${pid} archives the WAL of this home to ${String(info.archive)}.`, {
      code: 'in_use',
      setting: 'DIR',
      remedy: `Stop that process first ("kill ${pid}").`,
    });
  }
}

class WalKeeper {
  constructor(private readonly parts: StretchParts) {}

  async run() {
    const { repository, signal } = this.parts;
    let current = await this.#open();
    try {
      for (let failures = 0; !signal.aborted;) {
        try {
          await this.#round(current, signal);
          failures = 0;
          if (isOld(current.stretch)) current = await this.#succeed(current);
        } catch (error) {
          if (signal.aborted) break;
          failures += 1;
          if (failures === maxFailures || !isTemporary(error)) throw error;
          this.parts.report(`Trying again: ${(error as Error).message}`);
          await this.#revive();
        }
        await delay(passMs, undefined, { signal }).catch(() => undefined);
      }
      // Records what was stored so far; without the database, the next run does that.
      await this.#round(current, new AbortController().signal).catch(() => undefined);
    } finally {
      await current.receiver.stop();
    }
    const { id: stretch, from } = current.stretch;
    return { stretch, from, until: await readProgress(repository, current.stretch) };
  }

  async #open(): Promise<RunningStretch> {
    const { db, repository, superuserUrl } = this.parts;
    await emptyFolder(repository.staging);
    const last = await findResumable(this.parts);
    await freeSlots(db, superuserUrl, last && slotOf(last.id));
    await removeUnfinished(repository);
    const current = await (last ? resumeStretch(this.parts, last) : beginStretch(this.parts));
    await this.#prune();
    return current;
  }

  /** Records an instant once its rows and objects are archived. */
  async #round(current: RunningStretch, signal: AbortSignal): Promise<void> {
    const { db, home, repository, passes, programs } = this.parts;
    const { stretch } = current;
    if (current.receiver.hasEnded) {
      const dir = segmentsOf(repository, stretch.id);
      current.receiver = await Receiver.start(programs, slotOf(stretch.id), dir);
    }
    const at = (await commitEmpty(db)).toISOString();
    const position = await selectWalPosition(db);
    await passes.pass(signal);
    const deadline = Date.now() + receiveMs;
    while (!(await hasReceived(db, slotOf(stretch.id), position))) {
      if (current.receiver.hasEnded) throw notReceiving(await current.receiver.ended, repository);
      if (Date.now() > deadline) return;
      await delay(pollMs);
    }
    const wal = await sealSegments(this.parts, stretch.id, position);
    await writeProgress(repository, stretch.id, { until: at, wal }, this.parts.masterKey);
    await writeWalRecord(home, { archive: repository.name, from: stretch.from, until: at });
    if (!current.reported)
      this.parts.report(`Receiving WAL; ${stretch.from} and later can be restored`);
    current.reported = true;
  }

  /** The former stretch is extended until the next one is complete. */
  async #succeed(former: RunningStretch): Promise<RunningStretch> {
    const { db, superuserUrl } = this.parts;
    const next = await beginStretch(this.parts);
    await former.receiver.stop();
    await freeSlots(db, superuserUrl, slotOf(next.stretch.id));
    await this.#prune();
    return next;
  }

  async #prune(): Promise<void> {
    const { repository, keep, report } = this.parts;
    if (keep === undefined) return;
    const { removed, unreadable } = await pruneStretches(repository, keep);
    if (unreadable.length > 0) {
      report(`Nothing is removed: the record of ${unreadable.join(', ')} cannot be read`);
    }
    if (removed.length > 0) report(`Removed: ${removed.join(', ')}`);
  }

  /** A running service restarts the server itself, and the server must be its child. */
  async #revive(): Promise<void> {
    const { home, server, signal, report } = this.parts;
    if (await readLock(home.serveLock)) return;
    await server.revive(signal).catch((error: unknown) => report((error as Error).message));
  }
}

const isOld = ({ from }: Stretch): boolean => Date.now() - Date.parse(from) > stretchMs;

/** The server is restarting, or the disk is temporarily full. */
const isTemporary = (error: unknown): boolean =>
  isConnectionError(error) ||
  (error instanceof OperatorError && error.exitCode === ExitCode.dependencyDown);

const notReceiving = (said: string, { name }: DirectoryRepository) =>
  dependencyDown(`WAL is not received: ${said}`, {
    setting: 'DIR',
    remedy: `Check the database, and the free space: df -h '${name}'. Then run the same command again: it resumes from there.`,
  });
