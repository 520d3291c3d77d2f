import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { readInstance, type StoreKind } from '../../database/instance.js';
import { tryWithLock } from '../../database/locks.js';
import { storeCheckMs } from '../../store/movable-store.js';
import type { ObjectStore } from '../../store/port.js';
import { sentinelKey } from '../../store/sentinel.js';
import { backupsIn } from '../backup/repository.js';
import { Findings } from '../verify/findings.js';
import { checkRows } from '../verify/objects.js';
import { withScratch, copyPieces, copyQuarantine, copyMissingObjects } from './copy.js';
import { busy } from './move.js';
import { forgetSecondStore, selectMoveAge } from './move.sql.js';

const batchSize = 1000;

/** For this long after a move began, a node may not know of it, and sign URLs of the old store. */
const noticedMs = 2.5 * storeCheckMs;

interface ClearParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly from: StoreKind;
  readonly open: (kind: StoreKind, instanceId: string) => Promise<ObjectStore>;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Deletes what a move left in the old store, after checking that the store in use has every object
 * and copying missing ones. The sentinel of the old store is deleted last, so that an interrupted
 * run can be repeated. What was deleted lately, and a running backup may need, goes with the rest.
 * @throws OperatorError 1 when objects are missing or damaged; then nothing is deleted.
 */
export async function clearStore(parts: ClearParts) {
  const cleared = await tryWithLock(parts.db, 'storeMove', () => clear(parts));
  if (cleared) return cleared;
  throw busy();
}

async function clear({ db, home, from, open, report, signal }: ClearParts) {
  const { id, store: kind, second, moving } = await readInstance(db);
  if (moving || second !== from) {
    throw failure(`There is nothing left in ${from} from a finished move.`, {
      code: 'nothing_to_do',
      remedy: `Run "${commandLine('status')}" to see where the objects are.`,
    });
  }
  const [old, store] = [await open(from, id), await open(kind, id)];
  report(`Checking that every object is in ${kind}`);
  await withScratch(home, async (scratch) => {
    const copying = { from: old, to: store, scratch };
    await copyMissingObjects(db, copying);
    await copyPieces(db, copying);
    await copyQuarantine(copying);
  });
  const findings = new Findings();
  const versions = await checkRows({ session: db.manager, store, findings, report, signal });
  if (findings.total > 0) {
    throw failure(`${findings.total} objects in ${kind} are missing or damaged.`, {
      remedy: `Nothing was deleted. Run "${commandLine('verify', 'accounts')}" to list them.`,
    });
  }
  const left = noticedMs - (await selectMoveAge(db));
  if (left > 0) await delay(left, undefined, { signal });
  const deleted = await deleteAll(old, report);
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
  const isBackup = backupsIn(store);
  for await (const { key } of store.list('')) {
    if (key === sentinelKey || (await isBackup(key))) continue;
    batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await store.delete([sentinelKey]);
  return deleted;
}
