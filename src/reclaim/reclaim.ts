import type { DataSource, EntityManager } from 'typeorm';
import { mayDeleteObjects } from '../database/locks.js';
import { row } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { ObjectStore } from '../store/port.js';
import { backlog, forgetObjects, lockDueObjects, postponeObjects } from './queries.js';

/**
 * Failures of single keys after which the store, rather than the keys, is assumed to be at fault.
 */
const maxSingleFailures = 3;

export interface ReclaimOptions {
  readonly dataSource: DataSource;
  readonly store: Pick<ObjectStore, 'delete' | 'check'>;
  /** Keys per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current batch. */
  readonly signal?: AbortSignal;
}

export interface ReclaimResult {
  /** Objects deleted, along with their rows. */
  readonly deleted: number;
  /** Objects postponed to a later attempt. */
  readonly failed: number;
}

/**
 * Deletes every object that is due in `object_reclaim`: objects first, then their rows, so that a
 * crash in between only repeats work. If several nodes start it at once, only one proceeds; while a
 * backup is being made, none does.
 *
 * @throws ServiceError `unavailable` when the store as a whole cannot be used; rows stay untouched.
 */
export async function reclaimOnce(options: ReclaimOptions): Promise<ReclaimResult> {
  const { dataSource, store, batchSize = 500, signal } = options;
  // In a store that is not ours, or not mounted, everything would count as deleted.
  await store.check();
  let deleted = 0;
  let failed = 0;
  while (!signal?.aborted) {
    const batch = await dataSource.transaction((manager) =>
      reclaimBatch(manager, store, batchSize),
    );
    deleted += batch.deleted;
    failed += batch.failed;
    // Nothing is due, or everything failed: failed keys have their own retry times.
    if (batch.deleted === 0) break;
  }
  return { deleted, failed };
}

async function reclaimBatch(
  manager: EntityManager,
  store: Pick<ObjectStore, 'delete'>,
  batchSize: number,
): Promise<ReclaimResult> {
  if (!(await mayDeleteObjects(manager))) return { deleted: 0, failed: 0 };
  const rows = await manager.query<{ key: string }[]>(lockDueObjects, [batchSize]);
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return { deleted: 0, failed: 0 };
  const failures = await deleteObjects(store, keys);
  const gone = keys.filter((key) => !failures.has(key));
  if (gone.length > 0) await manager.query(forgetObjects, [gone]);
  for (const [error, failing] of byError(failures)) {
    await manager.query(postponeObjects, [failing, error]);
  }
  return { deleted: gone.length, failed: failures.size };
}

/** Deletes the objects. @returns the error of each key that failed; usually none. */
async function deleteObjects(
  store: Pick<ObjectStore, 'delete'>,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  try {
    await store.delete(keys);
    return failures;
  } catch {
    // One of them may be at fault, and must not hold up the others.
  }
  for (const key of keys) {
    if (failures.size >= maxSingleFailures) {
      failures.set(key, 'not attempted: the store failed for other objects');
      continue;
    }
    try {
      await store.delete([key]);
    } catch (error) {
      failures.set(key, describe(error));
    }
  }
  return failures;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Keys grouped by error. */
function byError(failures: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, error] of failures) {
    groups.set(error, [...(groups.get(error) ?? []), key]);
  }
  return groups;
}

export interface ReclaimBacklog {
  readonly pending: number;
  readonly due: number;
  /** When the oldest due entry became due. */
  readonly oldest: Date | null;
}

/** The state of `object_reclaim`, for status and metrics. */
export async function reclaimBacklog(db: Queryable): Promise<ReclaimBacklog> {
  const found = await row<ReclaimBacklog>(db, backlog);
  return found ?? { pending: 0, due: 0, oldest: null };
}
