import type { DataSource, EntityManager } from 'typeorm';
import { underUserLock } from '../../library/quota/usage.js';
import { keyStates, type KeyState } from '../../library/reclaim/version-objects.js';
import {
  parseOwner,
  isKey,
  quarantineDay,
  quarantineKey,
  quarantinePrefix,
} from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { keptBatches, type Kept } from './batches.js';
import { reasonOf } from './findings.js';

/** How much was moved. */
export interface MovedObjects {
  objects: number;
  bytes: number;
}

interface RepairParts {
  readonly db: DataSource;
  /** The connection that holds the lock for verifying. */
  readonly session: EntityManager;
  readonly store: ObjectStore;
}

/**
 * Moves objects into quarantine and back. Checks each object again right before, under the lock of
 * its user, which is required to create any reference to it.
 */
export class Repair {
  readonly quarantined: MovedObjects = { objects: 0, bytes: 0 };
  readonly putBack: MovedObjects = { objects: 0, bytes: 0 };
  readonly #day = quarantineDay(new Date());

  constructor(private readonly parts: RepairParts) {}

  /**
   * Moves an object into quarantine if nothing refers to it.
   * @returns why it could not be moved; undefined if it was moved or is no longer an orphan.
   */
  async quarantine(key: string, bytes: number): Promise<string | undefined> {
    const { store } = this.parts;
    const target = quarantineKey({ day: this.#day, key });
    if (!isKey(target)) return 'left alone: its name is too long';
    return this.#settle(key, async ({ version, isPiece, listed }) => {
      if (version || isPiece || listed) return;
      await store.move(key, target);
      add(this.quarantined, bytes);
    });
  }

  /** Puts back objects that rows need. */
  async putBackNeeded(signal: AbortSignal): Promise<void> {
    const { store, session } = this.parts;
    for await (const kept of keptBatches(store, quarantinePrefix)) {
      signal.throwIfAborted();
      const states = await keyStates(
        session,
        kept.map(({ key }) => key),
      );
      const needed = new Set(states.flatMap(({ key, version }) => (version ? [key] : [])));
      for (const one of kept.filter(({ key }) => needed.has(key))) await this.#putBack(one);
    }
  }

  async #putBack({ name, key, bytes }: Kept): Promise<void> {
    const { store } = this.parts;
    await this.#settle(key, async ({ version }) => {
      if (!version || (await store.stat(key))) return;
      await store.move(name, key);
      add(this.putBack, bytes);
    });
  }

  /** @returns why `work` failed, if that was due to this object and not to the store as a whole. */
  async #settle(
    key: string,
    work: (state: KeyState) => Promise<void>,
  ): Promise<string | undefined> {
    try {
      await this.#underLock(key, async (tx) => {
        const [state] = await keyStates(tx, [key]);
        if (state) await work(state);
      });
      return undefined;
    } catch (error) {
      await this.parts.store.check();
      return `could not be moved: ${reasonOf(error)}`;
    }
  }

  async #underLock(key: string, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    const { session } = this.parts;
    const { userId } = parseOwner(key);
    const done = async (tx: EntityManager): Promise<true> => {
      await work(tx);
      return true;
    };
    if (userId !== null && (await underUserLock(session, userId, done))) return;
    // A user who does not exist needs no lock, since nothing can be created for them.
    await session.transaction(done);
  }
}

function add(moved: MovedObjects, bytes: number): void {
  moved.objects += 1;
  moved.bytes += bytes;
}
