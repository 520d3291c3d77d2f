import { rm } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { inGroups } from '../../base/concurrency.js';
import type { Home } from '../../base/config/home.js';
import { claimRepository, withSession } from '../../database/locks.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { busy, explained } from './backup.js';
import {
  doubtsOf,
  markUnfinished,
  survey,
  withManifestRead,
  type Doubt,
  type Entry,
  type Generation,
} from './generation.js';
import { extraFiles, joined, readManifest, readPool, sortPool } from './manifest.js';
import { makeListsFolder, readMark, type Mark } from './open-repository.js';
import {
  generationFile,
  listGenerationFiles,
  poolPath,
  unfinishedPath,
  type PoolFile,
  type Repository,
} from './repository.js';
import { Faults, verifyFiles } from './verify-contents.js';

interface PruneParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly repository: Repository;
  readonly masterKey: MasterKey;
  /** How many backups stay, the latest ones. */
  readonly keep: number;
  /** Whether only to say what would be removed. */
  readonly dryRun: boolean;
  readonly report: (message: string) => void;
}

export { doubtsOf, survey } from './generation.js';
export type { Doubt } from './generation.js';

/** What was removed, or would be. */
export interface Pruned {
  /** The ids of backups. */
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  /** Files of the pool that no backup that stays needs. */
  readonly objects: number;
  readonly bytes: number;
  /** The last good backup, if it stays although it is none of the latest. */
  readonly last_good: string | null;
  /** Whether nothing is removed, since a backup that stays cannot be understood. */
  readonly blocked: boolean;
  readonly doubtful: readonly Doubt[];
}

/**
 * Removes all but the latest backups, in the order in which they were made, and the objects that only
 * these needed. The last good backup always stays, and so does what cannot be read or understood.
 * @throws OperatorError.
 */
export async function prune(parts: PruneParts): Promise<Pruned> {
  const { db, repository } = parts;
  const mark = await readMark(repository);
  return withSession(db, async (session) => {
    if (!(await claimRepository(session, mark.id))) throw busy(repository);
    return explained(repository, () => pruneClaimed(parts, mark));
  });
}

async function pruneClaimed(parts: PruneParts, mark: Mark): Promise<Pruned> {
  const { repository, masterKey, keep, report } = parts;
  report('Reading manifests');
  const { entries: found, leftovers } = await survey(repository, masterKey);
  const entries: Entry[] = [];
  for (const entry of found) entries.push(await withManifestRead(repository, entry));
  const doubtful = doubtsOf(entries);
  const ids = entries.map(({ id }) => id);
  const sound = entries.flatMap(({ generation, doubt }) =>
    generation && doubt === undefined ? [generation] : [],
  );
  const blocked = entries.some(({ generation }) => !generation);
  const nothing = { removed: [], kept: ids, objects: 0, bytes: 0, last_good: null };
  // Which objects it needs is unknown.
  if (blocked || sound.length === 0) return { ...nothing, blocked, doubtful };
  report('Listing objects');
  const lists = await makeListsFolder(parts.home, repository, mark);
  const pool = await sortPool(repository, lists);
  const lastGood = await findLastGood(repository, sound, pool);
  const dropped = sound.slice(0, -keep);
  const removed = dropped.filter((one) => one !== lastGood).map(({ id }) => id);
  const kept = ids.filter((id) => !removed.includes(id));
  const extra = extraFiles(repository, pool, kept);
  const gone = await remove(parts, removed, leftovers, extra);
  // What killed backups had copied is of no backup, and gone with its lists.
  await rm(parts.dryRun ? pool : lists, { recursive: true });
  const last_good = lastGood && dropped.includes(lastGood) ? lastGood.id : null;
  return { removed, kept, ...gone, last_good, blocked, doubtful };
}

/** The latest whose files are what was written, and whose objects were and are all there. */
async function findLastGood(
  repository: Repository,
  sound: readonly Generation[],
  pool: string,
): Promise<Generation | undefined> {
  for (const generation of sound.toReversed()) {
    const faults = new Faults();
    await verifyFiles(repository, generation, faults);
    if (generation.faults > 0 || faults.total > 0) continue;
    if (await isWhole(repository, generation, pool)) return generation;
  }
  return undefined;
}

async function isWhole(repository: Repository, { id }: Generation, pool: string): Promise<boolean> {
  const entries = readManifest(repository, id);
  for await (const [entry, file] of joined(entries, readPool(pool))) {
    if (entry && (entry.key !== file?.key || entry.bytes !== file.bytes)) return false;
  }
  return true;
}

const batchSize = 500;

/**
 * Removes the records first: what a killed run leaves is incomplete, and noted as such, so that the
 * next run removes it. @returns the number and size of the files of the pool.
 */
async function remove(
  { repository, dryRun }: PruneParts,
  generations: readonly string[],
  leftovers: readonly string[],
  extra: AsyncIterable<PoolFile>,
): Promise<{ objects: number; bytes: number }> {
  const files = await listGenerationFiles(repository);
  const of = generations.flatMap((id) => files.get(id) ?? []);
  if (!dryRun) {
    const begun = leftovers.map((path) => path.split('/')[1] ?? '');
    await markUnfinished(repository, [...generations, ...begun]);
    await repository.remove(generations.map((id) => generationFile(id, 'backup.json')));
  }
  const gone = { objects: 0, bytes: 0 };
  for await (const group of inGroups(extra, batchSize)) {
    if (!dryRun) await repository.remove(group.map(({ key }) => poolPath(key)));
    gone.objects += group.length;
    for (const { bytes } of group) gone.bytes += bytes;
  }
  if (!dryRun) await repository.remove([...leftovers, ...of]);
  if (!dryRun) await repository.remove([unfinishedPath]);
  return gone;
}
