import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { guestsOf } from '../../../base/callers.js';
import { withDeadline } from '../../../base/concurrency.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { guarded, ignore } from '../../../base/guarded.js';
import type { FreeDisk } from '../../../base/os/machine.js';
import { minuteMs, secondMs } from '../../../base/units.js';
import { FairSemaphore, runAsCaller } from '../../../database/fairness.js';
import type { FullObjects } from '../../../http/files.js';
import type { KeyLocks } from '../../../http/idempotency/key-locks.js';
import type { RunningRequests } from '../../../http/router.js';
import {
  type DerivedImage,
  type Imaging,
  maxFullBytes,
  type PictureFile,
} from '../../../imaging/port.js';
import { objectKey, type VersionId } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import { underUserLock } from '../../quota/usage.js';
import { queueKeys, unqueueKeys } from '../../reclaim/reclaim.js';
import { fetchPicture } from './fetch.js';
import { selectVersionFile, setFullExtension, type VersionFile } from './full.sql.js';

/** Whole pictures that this process makes at a time, each with its files on disk; and of one owner. */
const makingAtOnce = { total: 8, perCaller: 4, waiting: 64, waitMs: 30 * secondMs };
/** Requests that may wait for them, and of one owner. */
const waitingAtOnce = { total: 256, perCaller: 64, waiting: 64, waitMs: 10 * secondMs };
/** How long a request waits for a picture to be made, which goes on without it. */
const requestMs = minuteMs;
/** How long to wait for another process that makes the same picture, and how often to ask. */
const otherMs = minuteMs;
const askMs = secondMs / 4;

const retryAfterSeconds = 5;

interface FullPictureParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'get' | 'stat' | 'put' | 'sign'>;
  readonly imaging: Pick<Imaging, 'full'>;
  readonly locks: Pick<KeyLocks, 'hold'>;
  readonly running: Pick<RunningRequests, 'run'>;
  /** Folder for files in progress. */
  readonly incoming: string;
  readonly disk: Pick<FreeDisk, 'assertFree'>;
}

/** A whole picture, and whose share of the service making it takes. */
interface WantedPicture {
  readonly version: VersionId;
  readonly caller: string;
}

/**
 * The whole pictures of versions as any browser shows them, without metadata. Each is made once,
 * when somebody first asks for it, however many do so on however many nodes; it goes on when they
 * leave (docs/adr/0008).
 */
export class FullPictures implements FullObjects {
  readonly #making = new Map<string, Promise<string>>();
  readonly #turns = new FairSemaphore(makingAtOnce);
  readonly #requests = new FairSemaphore(waitingAtOnce);

  constructor(private readonly parts: FullPictureParts) {}

  /**
   * The key of the object with the whole picture of a version, which is made if there is none yet.
   * @param signal aborted when nobody waits any longer.
   * @param caller whose share it takes: the bearer of a signed URL may well be its user, a visitor of
   *   a link is not.
   * @throws ServiceError `not_found` without the version or its original; `corrupt_image`,
   *   `image_too_complex`, `unsupported_image` if it cannot be decoded; `unavailable`; what `signal`
   *   is aborted with.
   */
  async keyOf(
    version: VersionId,
    signal: AbortSignal,
    caller: string = version.userId,
  ): Promise<string> {
    const file = await asBearer(version, () => selectVersionFile(this.parts.db, version));
    return madeKey(version, file ?? gone()) ?? this.#waitFor({ version, caller }, signal);
  }

  directUrl(key: string): string | undefined {
    const url = this.parts.store.sign(key);
    return url.startsWith('/') ? undefined : url;
  }

  async #waitFor(wanted: WantedPicture, signal: AbortSignal): Promise<string> {
    return this.#requests.run(wanted.caller, () =>
      withDeadline(signal, requestMs, (until) => unlessAborted(this.#make(wanted), until)).catch(
        (error: unknown) => {
          if (!signal.aborted && (error as Error).name === 'TimeoutError') throw busy(error);
          throw error;
        },
      ),
    );
  }

  /**
   * All requests of a caller to this process for the same picture share one attempt. Of another
   * caller they do not, whose turn may come much later.
   */
  #make(wanted: WantedPicture): Promise<string> {
    const { version, caller } = wanted;
    const id = `${caller} ${version.versionId}`;
    const known = this.#making.get(id);
    if (known) return known;
    const making = this.parts.running
      .run(() => asBearer(version, () => this.#turns.run(caller, () => this.#makeAlone(wanted))))
      .finally(() => this.#making.delete(id));
    making.catch(ignore); // perhaps nobody waits any longer
    this.#making.set(id, making);
    return making;
  }

  /** While somebody else makes the same picture, waits for it. */
  async #makeAlone(wanted: WantedPicture): Promise<string> {
    const id = { owner: 'full picture', key: wanted.version.versionId };
    for (const began = performance.now(); ; await delay(askMs)) {
      try {
        return await this.parts.locks.hold(id, () => this.#makeHere(wanted));
      } catch (error) {
        const isHeld = error instanceof ServiceError && error.code === 'request_in_progress';
        if (!isHeld) throw error;
        if (performance.now() - began > otherMs) throw busy(error);
      }
    }
  }

  async #makeHere({ version, caller }: WantedPicture): Promise<string> {
    const { db, incoming, imaging } = this.parts;
    const file = (await selectVersionFile(db, version)) ?? gone();
    const made = madeKey(version, file);
    if (made !== undefined) return made;
    const folder = join(incoming, uuidv7());
    try {
      const original = await this.#fetch(version, file, folder);
      return await this.#store(version, await imaging.full(original, caller));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #fetch(version: VersionId, file: VersionFile, folder: string): Promise<PictureFile> {
    const { store, disk } = this.parts;
    await disk.assertFree(file.bytes + maxFullBytes(file));
    const body = (await store.get(objectKey(version, 'original', file.extension))) ?? gone();
    const original = await fetchPicture(body.stream, folder, disk);
    if (!original.hash.equals(file.hash)) throw new ServiceError('corrupt_image');
    return original;
  }

  /**
   * Stores a picture so that at every instant its object is either referenced by the version or
   * listed in object_reclaim (docs/adr/0002). Unlike those of an upload, its key is not new: an
   * attempt that was killed may have listed and even stored it.
   */
  async #store(version: VersionId, { path, extension }: DerivedImage): Promise<string> {
    const { store } = this.parts;
    const key = objectKey(version, 'full', extension);
    const before = await underUserLock(this.parts.db, version.userId, async (tx) => {
      const file = await selectVersionFile(tx, version);
      if (file?.fullExtension === null) await queueKeys(tx, [key]);
      return file;
    });
    const made = madeKey(version, before ?? gone());
    if (made !== undefined) return made;
    // Objects are whole and are never overwritten, so the one of a killed attempt is as good.
    if (!(await store.stat(key))) await store.put([{ key, path }]);
    const after = await underUserLock(this.parts.db, version.userId, async (tx) => {
      if (await setFullExtension(tx, version, extension)) {
        // Past its grace period, the object may be deleted at any moment.
        if (!(await unqueueKeys(tx, [key]))) throw busy();
        return { fullExtension: extension };
      }
      const file = await selectVersionFile(tx, version);
      if (!file) await queueKeys(tx, [key], 0); // deleted in the meantime: nothing will refer to it
      return file;
    });
    return madeKey(version, after ?? gone()) ?? gone();
  }
}

/** Nobody knows who the bearer of a URL is. */
const asBearer = <T>({ userId }: VersionId, work: () => T): T =>
  runAsCaller(guestsOf(userId), work);

const madeKey = (version: VersionId, { fullExtension }: Pick<VersionFile, 'fullExtension'>) =>
  fullExtension === null ? undefined : objectKey(version, 'full', fullExtension);

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = guarded(reject, () => reject(signal.reason as Error));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject);
  });

function gone(): never {
  throw new ServiceError('not_found', { message: 'There is no such picture.' });
}

const busy = (cause?: unknown): ServiceError =>
  new ServiceError('unavailable', {
    message: 'The whole picture is not ready yet; try again.',
    retryAfter: retryAfterSeconds,
    cause,
  });
