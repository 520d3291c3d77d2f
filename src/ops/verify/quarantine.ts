import type { DataSource, EntityManager } from 'typeorm';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { keyStates } from '../../library/reclaim/version-objects.js';
import { type ObjectStore, hashOf } from '../../store/port.js';
import { quarantineDay, quarantineFolder, quarantinePrefix } from '../../store/object-key.js';
import { maxListed } from './findings.js';
import { keptBatches, type Kept } from './batches.js';
import type { MovedObjects } from './repair.js';
import { refuseWhileMoving, verifying } from './run.js';

type Listing = Pick<ObjectStore, 'list'>;

/** Counts quarantined objects by the day in UTC, YYYY-MM-DD, on which they were moved, oldest first. */
export async function quarantineDays(store: Listing) {
  const days = new Map<string, MovedObjects>();
  for await (const batch of keptBatches(store, quarantinePrefix)) {
    for (const { day, bytes } of batch) {
      const sum = days.get(day) ?? { objects: 0, bytes: 0 };
      days.set(day, { objects: sum.objects + 1, bytes: sum.bytes + bytes });
    }
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, sum]) => ({ date, ...sum }));
}

/** The first objects that were moved into quarantine on a day. */
export async function quarantinedOn(store: Listing, day: string): Promise<Kept[]> {
  const found: Kept[] = [];
  for await (const batch of keptBatches(store, quarantineFolder(day))) {
    found.push(...batch.slice(0, maxListed - found.length));
    if (found.length === maxListed) break;
  }
  return found;
}

interface QuarantineParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/**
 * Restores quarantined objects to their former keys. @param which the day on which they were moved,
 * or the former key of one. @returns also the first keys of objects that stay because another object
 * now has their key. @throws OperatorError if there is nothing of that day or key.
 */
export const restoreQuarantined = (parts: QuarantineParts, which: string) =>
  change(parts, async () => {
    const { store } = parts;
    const restored = { objects: 0, bytes: 0, taken: [] as string[] };
    let found = 0;
    for await (const batch of keptBatches(
      store,
      isDay(which) ? quarantineFolder(which) : quarantinePrefix,
    )) {
      for (const { name, key, bytes } of batch) {
        if (!isDay(which) && key !== which) continue;
        parts.signal.throwIfAborted();
        found += 1;
        if (await putBack(store, name, key)) {
          restored.objects += 1;
          restored.bytes += bytes;
        } else if (restored.taken.length < maxListed) restored.taken.push(key);
      }
      if (found > 0) parts.report(`${restored.objects.toLocaleString('en')} objects restored`);
    }
    if (found > 0) return restored;
    throw failure(`Nothing is in quarantine of ${which}.`, {
      code: 'missing',
      remedy: commandLine('quarantine', 'list'),
    });
  });

/** @returns false if another object has the key. After a kill, it may be the same one. */
async function putBack(store: ObjectStore, name: string, key: string): Promise<boolean> {
  if (!(await store.stat(key))) {
    await store.move(name, key);
    return true;
  }
  if ((await hashOf(store, name)) !== (await hashOf(store, key))) return false;
  await store.delete([name]);
  return true;
}

const dueBefore = (olderThanMs: number): string =>
  quarantineDay(new Date(Date.now() - olderThanMs));

/** Counts objects that have been in quarantine for at least this long, in milliseconds. */
export async function purgeable(store: Listing, olderThanMs: number): Promise<MovedObjects> {
  const sum = { objects: 0, bytes: 0 };
  for (const { date, objects, bytes } of await quarantineDays(store)) {
    if (date > dueBefore(olderThanMs)) continue;
    sum.objects += objects;
    sum.bytes += bytes;
  }
  return sum;
}

/**
 * Permanently deletes objects that have been in quarantine for at least this long, in milliseconds.
 * Those that rows need stay: "verify --repair" puts them back.
 */
export const purgeQuarantine = (parts: QuarantineParts, olderThanMs: number) =>
  change(parts, async (session) => {
    const { store, report, signal } = parts;
    const purged = { objects: 0, bytes: 0, needed: 0 };
    const before = dueBefore(olderThanMs);
    for await (const batch of keptBatches(store, quarantinePrefix)) {
      signal.throwIfAborted();
      const due = batch.filter(({ day }) => day <= before);
      const needed = await neededKeys(session, store, due);
      const going = due.filter(({ key }) => !needed.has(key));
      await store.delete(going.map(({ name }) => name));
      purged.objects += going.length;
      purged.needed += due.length - going.length;
      for (const { bytes } of going) purged.bytes += bytes;
      if (going.length > 0) report(`${purged.objects.toLocaleString('en')} objects deleted`);
    }
    return purged;
  });

/** Keys that rows refer to but that have no object. */
async function neededKeys(session: EntityManager, store: ObjectStore, kept: readonly Kept[]) {
  const needed = new Set<string>();
  const states = await keyStates(
    session,
    kept.map(({ key }) => key),
  );
  for (const { key, version } of states) {
    if (version && !(await store.stat(key))) needed.add(key);
  }
  return needed;
}

/** Runs `work` on the quarantine exclusively, and while no objects are moved to another store. */
const change = <T>(
  { db, store }: QuarantineParts,
  work: (session: EntityManager) => Promise<T>,
): Promise<T> =>
  verifying(db, async (session) => {
    await refuseWhileMoving(session);
    await store.check();
    return work(session);
  });
