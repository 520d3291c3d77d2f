import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { secondMs } from '../../base/units.js';
import type { PackedIds } from '../../database/bulk.js';
import { jointTransaction, withoutJoint, type Database } from '../../database/joint-transaction.js';
import { tryWithLock } from '../../database/locks.js';
import { onlyValue, type Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { lockUsage } from '../quota/usage.js';
import type { DeletedUser } from '../users/schemas.js';
import * as sql from './bulk-changes.sql.js';
import type { BulkChange, SomeImages, TreeChange } from './bulk-changes.sql.js';

export { selectChanges, selectImagesBelow } from './bulk-changes.sql.js';
export type { BulkChange, SomeImages } from './bulk-changes.sql.js';

// Changes of whole trees and users, in transactions of a few hundred images each: feeds, webhooks and other
// writes of the user go on meanwhile. What the change is of is marked in the transaction that begins it, and
// so is the first batch; if that was not all, `bulk_changes` has what is left, for whoever lives to do it.

/** How long a request waits for a change before it answers that the change is in progress. */
const requestMs = 10 * secondMs;
/** How long a job stays with one change while others wait. */
const turnMs = 5 * secondMs;

/** Whose tree is changed; the transaction holds the user's lock. */
interface Tree {
  readonly userId: string;
  readonly folderId: string;
}

/** A trashing: a folder, and the instant as PostgreSQL writes it. */
interface Trashing {
  readonly root: string;
  readonly at: string;
}

const nowText = (tx: Queryable): Promise<string> => onlyValue(tx, 'SELECT now()::text AS now');

/** Trashes a folder and what is active below it. @returns what is left to do, if anything is. */
export async function trashTree(tx: Queryable, tree: Tree): Promise<BulkChange | undefined> {
  const at = await nowText(tx);
  const event = { root: tree.folderId, at };
  return begin(tx, { kind: 'trash', ...tree, ...event, begunAt: at });
}

/** Restores a folder and what was trashed with it below it. @returns as `trashTree`. */
export const restoreTree = async (
  tx: Queryable,
  tree: Tree,
  trashing: Trashing,
): Promise<BulkChange | undefined> =>
  begin(tx, { kind: 'restore', ...tree, ...trashing, begunAt: await nowText(tx) });

/** Deletes a folder for good with everything below it; nobody sees it any more. @returns as `trashTree`. */
export const deleteTree = async (tx: Queryable, tree: Tree): Promise<BulkChange | undefined> =>
  begin(tx, { kind: 'delete', ...tree, root: null, at: null, begunAt: await nowText(tx) });

async function begin(tx: Queryable, change: TreeChange & Tree): Promise<BulkChange | undefined> {
  const more = await sql.changeFolders(tx, change);
  const images = await sql.selectFirstImages(tx, change);
  await sql.changeImages(tx, change, images);
  const whole = !more && images.length < sql.imagesAtOnce;
  if (!whole) return sql.noteChange(tx, change);
  if (change.kind === 'delete') await sql.deleteFolders(tx, change);
  return undefined;
}

/**
 * Deletes a user, who is unknown when the transaction ends. What the user had follows; triggers hand the
 * objects to the reclaim job. Uploads in progress either commit first or no longer find the user.
 * @throws ServiceError `user_not_found`.
 */
export async function deleteUser(
  tx: Queryable,
  userId: string,
): Promise<{ deleted: DeletedUser; left: BulkChange }> {
  await sql.endChangesOf(tx, userId);
  const had = await sql.deleteUserRow(tx, userId);
  if (!had) throw new ServiceError('user_not_found');
  const { platformId, folders: deleted_folders, images: deleted_images } = had;
  const left = await sql.noteChange(tx, { platformId, userId, kind: 'user' });
  return { deleted: { user_id: userId, deleted_folders, deleted_images }, left };
}

/** Carries the changes of requests to their end. */
export class BulkChanges {
  /** What goes on for each user, one after the other. */
  readonly #going = new Map<string, Promise<boolean>>();

  /** @param stopping ends what goes on when the service stops; a job of whatever node takes it up. */
  constructor(
    private readonly db: Database,
    private readonly stopping: AbortSignal,
  ) {}

  /** Deletes a user. @throws ServiceError `user_not_found`. */
  async deleteUser(userId: string): Promise<DeletedUser> {
    const { deleted, left } = await this.db.transaction((tx) => deleteUser(tx, userId));
    const few = deleted.deleted_images <= sql.imagesAtOnce;
    return { ...deleted, ...((await this.settle(left, few)) ? {} : { in_progress: true }) };
  }

  /**
   * Goes on with a change, and waits for it as long as a request may take; in the transaction of an
   * idempotency key, whose part the answer is, only for what is little. @returns whether it has ended.
   */
  async settle(change: BulkChange | undefined, few = false): Promise<boolean> {
    if (!change) return true;
    const joint = jointTransaction();
    if (!joint) return Promise.race([this.#go(change), delay(requestMs, false, { ref: false })]);
    if (few) return finishChanges(this.db, change);
    // In no transaction any more, although its context lasts.
    joint.afterwards(() => void withoutJoint(() => this.#go(change)));
    return false;
  }

  #go(change: BulkChange): Promise<boolean> {
    const before = this.#going.get(change.userId) ?? Promise.resolve(true);
    const go = () => finishChanges(this.db, change, { signal: this.stopping });
    const going = before.then(go, go).finally(() => {
      if (this.#going.get(change.userId) === going) this.#going.delete(change.userId);
    });
    this.#going.set(change.userId, going);
    // What fails after the answer is taken up by the job.
    going.catch(() => undefined);
    return going;
  }
}

interface Finishing {
  /** When to stop, in milliseconds since 1970. */
  readonly until?: number;
  readonly signal?: AbortSignal;
  /** Told of images that are deleted with a user, in the transaction. */
  readonly count?: (tx: Queryable, images: SomeImages) => Promise<unknown>;
}

/** Carries a change, and those of the same user that began before it, to its end. @returns whether it came. */
export async function finishChanges(
  db: Database | DataSource | EntityManager,
  last: BulkChange,
  how: Finishing = {},
): Promise<boolean> {
  for (const change of await sql.selectChanges(db, { userId: last.userId })) {
    if (change.id > last.id) break;
    if (!(await new Run(db, change, how).toEnd())) return false;
  }
  return true;
}

/**
 * Carries all begun changes on, each for a while, until none is left but what fails.
 * @returns false if another node does. @throws the first failure, once the others are done.
 */
export async function finishAllChanges(db: DataSource, signal: AbortSignal): Promise<boolean> {
  if ((await sql.selectChanges(db)).length === 0) return true;
  const done = await tryWithLock(db, 'bulkChanges', async () => {
    const failures = new Map<string, unknown>();
    for (;;) {
      const changes = (await sql.selectChanges(db)).filter(({ userId }) => !failures.has(userId));
      if (changes.length === 0 || signal.aborted) break;
      for (const change of changes) {
        if (signal.aborted) break;
        if (failures.has(change.userId)) continue;
        const turn = { until: Date.now() + turnMs, signal };
        await finishChanges(db, change, turn).catch((error: unknown) =>
          failures.set(change.userId, error),
        );
      }
    }
    for (const failure of failures.values()) throw failure;
    return true;
  });
  return done === true;
}

/** One change, carried on by one process; another may be at it at the same time. */
class Run {
  constructor(
    private readonly db: Database | DataSource | EntityManager,
    private readonly change: BulkChange,
    private readonly how: Finishing,
  ) {}

  async toEnd(): Promise<boolean> {
    const { kind, folderId } = this.change;
    const ended =
      kind === 'user' || folderId === null
        ? await this.#user()
        : await this.#tree({ ...this.change, kind, folderId });
    if (!ended) return false;
    await this.#batch((tx) => sql.endChange(tx, this.change));
    return true;
  }

  async #tree(change: TreeChange): Promise<boolean> {
    if (!(await this.#repeat((tx) => sql.changeFolders(tx, change)))) return false;
    const images: PackedIds = await sql.selectImagesLeft(this.db, change);
    for (const ids of images.slices(sql.imagesAtOnce)) {
      if (this.#isOver()) return false;
      await this.#batch((tx) => sql.changeImages(tx, change, ids));
    }
    return change.kind !== 'delete' || this.#repeat((tx) => sql.deleteFolders(tx, change));
  }

  async #user(): Promise<boolean> {
    const { userId } = this.change;
    const images = async (tx: Queryable): Promise<boolean> => {
      const some = await sql.selectSomeImages(tx, userId);
      if (some.ids.length === 0) return false;
      await sql.deleteImages(tx, userId, some.ids);
      await this.how.count?.(tx, some);
      return true;
    };
    return (await this.#repeat(images)) && this.#repeat((tx) => sql.deleteLeavings(tx, userId));
  }

  /** Repeats a batch until it finds nothing. @returns false if it has to stop before. */
  async #repeat(work: (tx: Queryable) => Promise<boolean>): Promise<boolean> {
    let more = true;
    while (more) {
      if (this.#isOver()) return false;
      more = (await this.#batch(work)) === true;
    }
    return true;
  }

  #isOver(): boolean {
    const { until = Infinity, signal } = this.how;
    return signal?.aborted === true || Date.now() >= until;
  }

  /** One transaction, under the user's lock if there still is a user. @returns undefined if all is done. */
  #batch<T>(work: (tx: Queryable) => Promise<T>): Promise<T | undefined> {
    return this.db.transaction(async (tx) => {
      if (this.change.kind !== 'user') await lockUsage(tx, this.change.userId);
      if (!(await sql.lockChange(tx, this.change))) return undefined;
      return work(tx);
    });
  }
}
