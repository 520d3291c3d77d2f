import type { DataSource, EntityManager } from 'typeorm';
import type { ObjectStore } from '../store/port.js';
import { backlog, forgetObjects, lockDueObjects, postponeObjects } from './queries.js';

/** Failures of single keys after which the store, not a key, is taken for the culprit. */
const maxSingleFailures = 3;

export interface ReclaimOptions {
  readonly dataSource: DataSource;
  readonly store: Pick<ObjectStore, 'delete' | 'check'>;
  /** Keys per transaction. */
  readonly batchSize?: number;
  /** Ends the run after the batch under way. */
  readonly signal?: AbortSignal;
}

export interface ReclaimResult {
  /** Objects that are gone, with their rows. */
  readonly deleted: number;
  /** Objects whose turn was postponed. */
  readonly failed: number;
}

/**
 * Deletes every object that is due in `object_reclaim`: objects first, then their rows, so that a
 * crash in between only repeats work. Any number of nodes may run it at once.
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
    // Nothing is due, or nothing works: what failed has its own time to come back.
    if (batch.deleted === 0) break;
  }
  return { deleted, failed };
}

async function reclaimBatch(
  manager: EntityManager,
  store: Pick<ObjectStore, 'delete'>,
  batchSize: number,
): Promise<ReclaimResult> {
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

/** Deletes the objects and answers what went wrong with which; nothing, mostly. */
async function deleteObjects(
  store: Pick<ObjectStore, 'delete'>,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  try {
    await store.delete(keys);
    return failures;
  } catch {
    // One of them may be at fault: the others shall not wait for it.
  }
  for (const key of keys) {
    if (failures.size >= maxSingleFailures) {
      failures.set(key, 'not tried: the store failed for others');
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

/** Keys grouped by what went wrong with them. */
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
  /** Since when the longest waiting of the due is due. */
  readonly oldest: Date | null;
}

/** How much `object_reclaim` holds, for status and metrics. */
export async function reclaimBacklog(dataSource: DataSource): Promise<ReclaimBacklog> {
  const [row] =
    await dataSource.query<{ pending: string; due: string; oldest: Date | null }[]>(backlog);
  return { pending: Number(row?.pending), due: Number(row?.due), oldest: row?.oldest ?? null };
}
