import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Home } from '../../config/home.js';
import { exclusively } from '../../database/locks.js';
import { readInstance } from '../../database/instance.js';
import type { Instance, StoreKind } from '../../database/instance.js';
import { failure } from '../../errors/operator.js';
import { forEachLimited } from '../../concurrency.js';
import type { ObjectStore } from '../../store/port.js';
import { graceMinutes } from '../../reclaim/pending-keys.js';
import { versionBatches, versionStands } from '../../reclaim/version-objects.js';
import { objectsOf } from '../../store/layout.js';
import { copyObject } from './copy.js';
import type { CopyParts } from './copy.js';
import { beginMove, countUnsettled, countVersions, finishMove, saveProgress } from './queries.js';
import { selectFirstDoubtful, selectNow, selectProgress } from './queries.js';
import { withScratch } from './scratch.js';
import { copyStragglers } from './stragglers.js';

/** Versions between two notes of how far the move has come. */
const batchSize = 200;
const parallelCopies = 4;

/**
 * Longest time that an upload may have been under way, in minutes: half of it before it noted its
 * keys, half of it after.
 */
const uploadMinutes = 2 * graceMinutes;

/** Milliseconds between two looks at the uploads that a move waits for. */
const lookMs = 250;

export interface MoveParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly to: StoreKind;
  readonly open: (kind: StoreKind, instanceId: string) => Promise<ObjectStore>;
  /** Makes and marks the new store; called before anything is moved. */
  readonly prepare: (instanceId: string) => Promise<void>;
  readonly report: (message: string) => void;
  /** Ends the work after the batch under way; the next call goes on from there. */
  readonly signal: AbortSignal;
}

export interface Moved {
  readonly from: StoreKind;
  readonly to: StoreKind;
  readonly objects_copied: number;
  /** Objects that rows refer to and that neither store has. */
  readonly objects_missing: readonly string[];
}

/**
 * Moves all objects to another store while the installation serves: from the first step on new
 * objects go to the new store; old ones are copied and compared, then the new store is the one in
 * use. The old one keeps everything until `clearStore`. A
 * finished move may be repeated: it copies what it missed.
 * @throws OperatorError.
 */
export async function moveObjects(parts: MoveParts): Promise<Moved> {
  const moved = await exclusively(parts.db, 'storeMove', (session) => move(parts, session));
  if (moved) return moved;
  throw busy();
}

/** Another process holds the lock under which objects move. */
export const busy = (): Error =>
  failure('Another process is moving the objects already.', {
    remedy: 'imgstore status tells how it stands.',
  });

type Session = Parameters<Parameters<typeof exclusively>[2]>[0];

async function move(parts: MoveParts, session: Session): Promise<Moved> {
  const { home, to, open, prepare } = parts;
  const instance = await readInstance(session);
  const { id, store, second, moving } = instance;
  refuse(instance, to);
  const over = !moving && store === to;
  const from = over && second ? second : store;
  if (!over) {
    await prepare(id);
    await beginMove(session, to);
  }
  return withScratch(home, async (scratch) => {
    const copying = { from: await open(from, id), to: await open(to, id), scratch };
    const { copied, missing } = over
      ? await copyStragglers(session, copying)
      : await moveAll(parts, session, copying);
    return { from, to, objects_copied: copied, objects_missing: [...missing] };
  });
}

async function moveAll(parts: MoveParts, session: Session, copying: CopyParts): Promise<Tally> {
  const begun = await selectNow(session);
  const tally: Tally = { copied: 0, missing: new Set() };
  const step = { parts, session, copying, tally };
  await copyFrom(step, await selectProgress(session), true);
  // Uploads that had asked where to go before the move began.
  const doubtful = await selectFirstDoubtful(session, uploadMinutes);
  await copyFrom(step, doubtful, false);
  await uploadsSettled(parts, session, begun);
  await finishMove(session);
  parts.report(`The objects are in ${parts.to} now`);
  await copyFrom(step, doubtful, false);
  return tally;
}

/** Until none is left whose objects may still go to the old store: mostly at once, at most the grace. */
async function uploadsSettled(
  { report, signal }: MoveParts,
  session: Session,
  begun: string,
): Promise<void> {
  for (let told = 0; ;) {
    const open = await countUnsettled(session, begun);
    if (open === 0) return;
    if (open !== told) report(`Waiting for uploads that began before the move: ${open} objects`);
    told = open;
    await delay(lookMs, undefined, { signal });
  }
}

function refuse({ store, second, moving }: Instance, to: StoreKind): void {
  if (moving && second !== to) {
    throw failure(`A move to ${second} is under way.`, {
      remedy: `Finish it first: imgstore store migrate --to ${second}`,
    });
  }
  if (!moving && store === to && second === null)
    throw failure(`The objects are in ${to} already.`);
}

interface Tally {
  copied: number;
  readonly missing: Set<string>;
}

interface Step {
  readonly parts: MoveParts;
  readonly session: Session;
  readonly copying: CopyParts;
  readonly tally: Tally;
}

/** Copies the objects of all versions behind an id. @param note whether to keep the progress. */
async function copyFrom(step: Step, after: string | undefined, note: boolean): Promise<void> {
  const { parts, session, copying, tally } = step;
  const total = await countVersions(session);
  let done = 0;
  parts.signal.throwIfAborted();
  for await (const versions of versionBatches(session, { after, limit: batchSize })) {
    const objects = versions.flatMap((v) => objectsOf(v).map(({ key }) => ({ key, v })));
    await forEachLimited(objects, parallelCopies, async ({ key, v }) => {
      const outcome = await copyObject(copying, key);
      if (outcome === 'copied') tally.copied += 1;
      // The image may have been deleted since its row was read, and the object after it.
      if (outcome === 'missing' && (await versionStands(session, v.versionId))) {
        tally.missing.add(key);
      }
    });
    done += versions.length;
    const last = versions.at(-1);
    if (note && last) {
      await saveProgress(session, last.versionId);
      parts.report(`${done} of ${total} versions copied and compared`);
    }
    parts.signal.throwIfAborted();
  }
}
