import type { DataSource } from 'typeorm';
import { readInstance } from '../../database/instance.js';
import type { StoreKind } from '../../database/instance.js';
import { failure } from '../../errors/operator.js';
import type { ObjectStore } from '../../store/port.js';
import { sentinelKey } from '../../store/sentinel.js';
import { Differences } from '../verify/differences.js';
import { verifyRows } from '../verify/objects.js';
import { forgetSecondStore } from './queries.js';

const batchSize = 1000;

export interface ClearParts {
  readonly db: DataSource;
  readonly from: StoreKind;
  readonly open: (kind: StoreKind, instanceId: string) => Promise<ObjectStore>;
  readonly report: (message: string) => void;
}

/**
 * Deletes what a move left in the old store, after looking that the store in use has every object.
 * Its mark goes last, so that a run that is cut off can be repeated.
 * @throws OperatorError 1 when objects are not where they should be; nothing is deleted then.
 */
export async function clearStore({ db, from, open, report }: ClearParts) {
  const { id, store: kind, second, moving } = await readInstance(db);
  if (moving || second !== from) {
    throw failure(`There is nothing in ${from} that a finished move has left.`, {
      remedy: 'imgstore status tells where the objects are.',
    });
  }
  report(`Looking for every object in ${kind}`);
  const differences = new Differences();
  const parts = { db, store: await open(kind, id), platformId: undefined, differences };
  const versions = await verifyRows(parts);
  if (differences.total > 0) {
    throw failure(`${differences.total} objects are not in ${kind} as they should be.`, {
      remedy: 'imgstore stats verify lists them. Nothing was deleted.',
    });
  }
  const deleted = await deleteAll(await open(from, id), report);
  await forgetSecondStore(db);
  return { cleared: from, versions_verified: versions, objects_deleted: deleted };
}

async function deleteAll(store: ObjectStore, report: (message: string) => void): Promise<number> {
  let deleted = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    await store.delete(batch);
    deleted += batch.length;
    batch = [];
    report(`${deleted} objects deleted`);
  };
  for await (const { key } of store.list('')) {
    if (key === sentinelKey) continue;
    batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await store.delete([sentinelKey]);
  return deleted;
}
