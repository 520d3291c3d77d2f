import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { readInstance, type Instance, type StoreKind } from '../../database/instance.js';
import { tryWithLock } from '../../database/locks.js';
import { graceMinutes } from '../../library/reclaim/reclaim.js';
import { versionBatches } from '../../library/reclaim/version-objects.js';
import type { ObjectStore } from '../../store/port.js';
import {
  copyPieces,
  copyQuarantine,
  copyMissingObjects,
  withScratch,
  copyVersions,
  type CopyParts,
  type CopyCounts,
} from './copy.js';
import * as queries from './move.sql.js';

/** Versions between two progress records. */
const batchSize = 200;

/**
 * Maximum duration of an upload in minutes: half of it before it recorded its keys, half of it
 * after.
 */
const uploadMinutes = 2 * graceMinutes;

/** Milliseconds between two checks of the uploads that a move waits for. */
const pollMs = 250;

interface MoveParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly to: StoreKind;
  readonly open: (kind: StoreKind, instanceId: string) => Promise<ObjectStore>;
  /** Creates and marks the new store; called before anything is moved. */
  readonly prepare: (instanceId: string) => Promise<void>;
  readonly report: (message: string) => void;
  /** Stops after the current batch; the next call continues from there. */
  readonly signal: AbortSignal;
}

/**
 * Moves all objects to another store while the service is running: new objects go to the new store
 * from the start; old ones are copied and compared, and then the new store becomes the one in use.
 * The old store keeps its objects until `clearStore`. A finished move may be repeated to copy
 * missed objects.
 * @returns also the keys of objects that rows reference and that are in neither store.
 * @throws OperatorError.
 */
export async function moveObjects(parts: MoveParts) {
  const moved = await tryWithLock(parts.db, 'storeMove', (session) => move(parts, session));
  if (moved) return moved;
  throw busy();
}

/** Another process holds the lock for moving objects. */
export const busy = (): Error =>
  failure('Another process is already moving the objects.', {
    remedy: `Run "${commandLine('status')}" to see its state.`,
  });

type Session = Parameters<Parameters<typeof tryWithLock>[2]>[0];

async function move(parts: MoveParts, session: Session) {
  const { home, to, open, prepare } = parts;
  const instance = await readInstance(session);
  const { id, store, second, moving } = instance;
  refuse(instance, to);
  const over = !moving && store === to;
  const from = over && second ? second : store;
  if (!over) {
    await prepare(id);
    await queries.beginMove(session, to);
  }
  return withScratch(home, async (scratch) => {
    const copying = { from: await open(from, id), to: await open(to, id), scratch };
    const { copied, missing } = over
      ? await copyMissingObjects(session, copying)
      : await moveAll(parts, session, copying);
    await copyPieces(session, copying);
    await copyQuarantine(copying);
    return { from, to, objects_copied: copied, objects_missing: [...missing] };
  });
}

async function moveAll(
  parts: MoveParts,
  session: Session,
  copying: CopyParts,
): Promise<CopyCounts> {
  const begun = await queries.selectNow(session);
  const counts: CopyCounts = { copied: 0, missing: new Set() };
  const step = { parts, session, copying, counts };
  await copyFrom(step, await queries.selectProgress(session), true);
  // Uploads that chose a store before the move began.
  const doubtful = await queries.selectFirstDoubtful(session, uploadMinutes);
  await copyFrom(step, doubtful, false);
  await uploadsSettled(parts, session, begun);
  await queries.finishMove(session);
  parts.report(`The objects are now in ${parts.to}`);
  await copyFrom(step, doubtful, false);
  return counts;
}

/**
 * Waits until no upload can still write to the old store: usually not at all, at most for the grace
 * period.
 */
async function uploadsSettled(
  { report, signal }: MoveParts,
  session: Session,
  begun: string,
): Promise<void> {
  for (let reported = 0; ;) {
    const open = await queries.countUnsettled(session, begun);
    if (open === 0) return;
    if (open !== reported)
      report(`Waiting for uploads that began before the move: ${open} objects`);
    reported = open;
    await delay(pollMs, undefined, { signal });
  }
}

function refuse({ store, second, moving }: Instance, to: StoreKind): void {
  if (moving && second !== to) {
    throw failure(`A move to ${second} is already in progress.`, {
      remedy: `Finish it first: ${commandLine('store', 'migrate', '--to', String(second))}`,
    });
  }
  if (!moving && store === to && second === null)
    throw failure(`The objects are already in ${to}.`, { code: 'nothing_to_do', setting: '--to' });
}

interface Step {
  readonly parts: MoveParts;
  readonly session: Session;
  readonly copying: CopyParts;
  readonly counts: CopyCounts;
}

/** Copies the objects of all versions after an id. @param save whether to record the progress. */
async function copyFrom(step: Step, after: string | undefined, save: boolean): Promise<void> {
  const { parts, session, copying, counts } = step;
  const total = await queries.countVersions(session);
  let done = 0;
  parts.signal.throwIfAborted();
  for await (const versions of versionBatches(session, { after, limit: batchSize })) {
    await copyVersions({ ...copying, db: session, counts, onlyLacking: false }, versions);
    done += versions.length;
    const last = versions.at(-1);
    if (save && last) {
      await queries.saveProgress(session, last.versionId);
      parts.report(`${done} of ${total} versions copied and compared`);
    }
    parts.signal.throwIfAborted();
  }
}
