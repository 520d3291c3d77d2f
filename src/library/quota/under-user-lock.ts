import type { DataSource, EntityManager } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { actAs, type Actor } from '../../database/callers.js';
import type { Usage } from './usage.js';

export interface UserWork {
  readonly db: DataSource | EntityManager;
  readonly usage: Pick<Usage, 'lock'>;
  /** The actor in the change feed. */
  readonly actor: Actor;
}

/**
 * Runs a transaction of a job under a user's lock.
 * @returns undefined if the user no longer exists, and so has nothing to work on.
 */
export async function underUserLock<T>(
  { db, usage, actor }: UserWork,
  userId: string,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db.transaction(async (tx) => {
      await usage.lock(tx, userId);
      await actAs(tx, actor);
      return work(tx);
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user_not_found') return undefined;
    throw error;
  }
}
