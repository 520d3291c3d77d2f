import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../config/home.js';
import { exclusively } from '../../database/exclusive.js';
import { readInstance } from '../../database/instance.js';
import type { Instance, StoreKind } from '../../database/instance.js';
import { failure } from '../../errors/operator.js';
import { forEachLimited } from '../../store/limited.js';
import type { ObjectStore } from '../../store/port.js';
import { firstId, objectsOf } from '../version-objects.js';
import { selectVersions, versionStands } from '../version-queries.js';
import { copyObject } from './copy.js';
import type { CopyParts } from './copy.js';
import { beginMove, countVersions, finishMove, saveProgress } from './queries.js';
import { selectFirstDoubtful, selectProgress } from './queries.js';

/** Versions between two notes of how far the move has come. */
const batchSize = 200;
const parallelCopies = 4;

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
 * use. The old one keeps everything until `clearStore`.
 * @throws OperatorError.
 */
export async function moveObjects(parts: MoveParts): Promise<Moved> {
  const moved = await exclusively(parts.db, 'storeMove', (session) => move(parts, session));
  if (moved) return moved;
  throw failure('Another process is moving the objects already.', {
    remedy: 'imgstore status tells how it stands.',
  });
}

type Session = Parameters<Parameters<typeof exclusively>[2]>[0];

async function move(parts: MoveParts, session: Session): Promise<Moved> {
  const { home, to, open, prepare, report } = parts;
  const instance = await readInstance(session);
  refuse(instance, to);
  await prepare(instance.id);
  await beginMove(session, to);
  const scratch = join(home.dir, 'moving');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    const from = await open(instance.store, instance.id);
    const tally: Tally = { copied: 0, missing: new Set() };
    const copying = { from, to: await open(to, instance.id), scratch };
    const step = { parts, session, copying, tally };
    await copyFrom(step, (await selectProgress(session)) ?? firstId, true);
    // Uploads that had asked where to go before the move began.
    const doubtful = await selectFirstDoubtful(session);
    await copyFrom(step, doubtful, false);
    await finishMove(session);
    report(`The objects are in ${to} now`);
    await copyFrom(step, doubtful, false);
    const missing = [...tally.missing];
    return { from: instance.store, to, objects_copied: tally.copied, objects_missing: missing };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function refuse({ store, second, moving }: Instance, to: StoreKind): void {
  if (moving && second !== to) {
    throw failure(`A move to ${second} is under way.`, {
      remedy: `Finish it first: imgstore store migrate --to ${second}`,
    });
  }
  if (!moving && store === to) throw failure(`The objects are in ${to} already.`);
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
async function copyFrom(step: Step, first: string, note: boolean): Promise<void> {
  const { parts, session, copying, tally } = step;
  const total = await countVersions(session);
  let done = 0;
  for (let after = first; ;) {
    parts.signal.throwIfAborted();
    const versions = await selectVersions(session, { after, limit: batchSize });
    const objects = versions.flatMap((v) => objectsOf(v).map(({ key }) => ({ key, v })));
    await forEachLimited(objects, parallelCopies, async ({ key, v }) => {
      const outcome = await copyObject(copying, key);
      if (outcome === 'copied') tally.copied += 1;
      // The image may have been deleted since its row was read, and the object after it.
      if (outcome === 'missing' && (await versionStands(session, v.versionId))) {
        tally.missing.add(key);
      }
    });
    const last = versions.at(-1);
    if (!last) return;
    after = last.versionId;
    done += versions.length;
    if (note) {
      await saveProgress(session, after);
      parts.report(`${done} of ${total} versions copied and compared`);
    }
  }
}
