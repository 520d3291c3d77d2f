import { mkdir, readdir, rename, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, failure, badConfiguration } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { freeSpace } from '../../base/os/machine.js';
import { readLock } from '../../base/os/process-lock.js';
import { exists, isFileMissing, isOfDisk } from '../../base/os/files.js';
import { toMegabytes } from '../../base/units.js';
import { lineageOf, olderThanFormer } from '../../database/migrations.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { findEngine } from '../../database/postgres/ensure-engine.js';
import { findMasterKey } from '../../http/auth/secrets.js';
import type { ObjectStore } from '../../store/port.js';
import type { Generation } from '../backup/generation.js';
import { holdsTables } from '../dumps.sql.js';

/** @throws OperatorError 1 if a service serves the home. */
export async function refuseServed(home: Home): Promise<void> {
  const holder = await readLock(home.serveLock);
  if (!holder) return;
  throw failure(`${home.dir} is being served by process ${holder.pid}.`, {
    code: 'in_use',
    setting: 'home',
    remedy: `Stop that process first ("kill ${holder.pid}"), or choose another --home.`,
  });
}

/** @throws OperatorError 78 for a backup of a newer imgstore, 69 for one of a newer PostgreSQL. */
export async function checkVersions(
  { postgresql, ...backup }: Pick<Generation, 'migrations' | 'imgstore' | 'postgresql'>,
  home: Home,
): Promise<void> {
  checkMigrations(backup);
  const engine = await findEngine(engineFolder(home));
  if (engine && engine.major < postgresql) throw olderServer(postgresql, engine.major);
}

/** @throws OperatorError 78 for a backup of a newer imgstore, or one before the former. */
export function checkMigrations({
  migrations,
  imgstore,
}: Pick<Generation, 'migrations' | 'imgstore'>): void {
  const lineage = lineageOf(migrations);
  if (lineage === 'ours' || lineage === 'former') return;
  if (lineage === 'older') throw olderThanFormer('The backup', '--from', 'restore');
  throw badConfiguration(
    `The backup was made by imgstore ${imgstore}, which is newer than this program.`,
    { code: 'newer', remedy: `Restore it with imgstore ${imgstore} or newer.` },
  );
}

export const olderServer = (backup: number, server: number) =>
  dependencyDown(
    `The backup is of PostgreSQL ${backup}, and cannot be restored into PostgreSQL ${server}.`,
    {
      setting: 'database.url',
      remedy: `Install PostgreSQL ${backup} or newer with PostGIS, or specify a server that has it with --database-url.`,
    },
  );

/** The contents of a home that a restore would overwrite. */
async function contentsOf(home: Home): Promise<string[]> {
  const found: string[] = [];
  if ((await clusterMajor(clusterFiles(home))) !== undefined) found.push('a database');
  if (await findMasterKey(home)) found.push('a master key');
  const stored = await readdir(home.store).catch(() => []);
  if (!stored.every(isOfDisk)) found.push('stored objects');
  return found;
}

/** @returns whether there is something to move aside. @throws OperatorError 1 unless `force`. */
export async function refuseFilledHome(home: Home, force: boolean): Promise<boolean> {
  const found = await contentsOf(home);
  if (found.length === 0 || force) return found.length > 0;
  throw failure(`${home.dir} is not empty: it has ${found.join(', ')}.`, {
    code: 'not_empty',
    setting: 'home',
    remedy:
      'Choose an empty --home, or add --force, which moves the existing files into a separate folder.',
  });
}

/**
 * Moves the contents of a home, except its settings, into a folder inside it. @returns that folder.
 */
export async function moveAside(home: Home): Promise<string> {
  const aside = join(home.dir, `replaced-${new Date().toISOString().replaceAll(':', '')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const folder of [home.database, home.store, home.secrets, home.tokens]) {
    const target = join(aside, folder.slice(home.dir.length + 1));
    await rename(folder, target).catch((error: unknown) => {
      if (!isFileMissing(error)) throw error;
    });
  }
  return aside;
}

/** @throws OperatorError 1 with the statements that create another one. */
export async function requireEmptyDatabase(db: DataSource): Promise<void> {
  if (!(await holdsTables(db))) return;
  throw failure('The database is not empty: it has tables.', {
    code: 'not_empty',
    setting: 'database.url',
    remedy:
      'Create another one and specify it with --database-url: CREATE DATABASE NAME OWNER ROLE TEMPLATE template0; --force does not empty a database.',
  });
}

/** @throws OperatorError 1 for a bucket with objects, unless `force` leaves them there. */
export async function requireEmptyBucket(
  store: Pick<ObjectStore, 'list'>,
  force: boolean,
): Promise<void> {
  if (force) return;
  for await (const { key } of store.list('')) {
    throw failure(`The bucket is not empty: it contains ${key}.`, {
      code: 'not_empty',
      setting: 's3.bucket',
      remedy:
        'Choose another --s3-bucket or --s3-prefix, or add --force, which leaves existing objects.',
    });
  }
}

/** Approximate ratio of a restored database to its compressed dump, in bytes. */
const databaseGrowth = 6;

/**
 * Disk space that a restored database needs. @param compressed bytes of a dump or a base backup.
 */
export const spaceForDatabase = (compressed: number): number => compressed * databaseGrowth;

/** @throws OperatorError 69 when the disk of the home is too small. */
export async function requireFreeSpace(home: Home, needed: number): Promise<void> {
  const { free } = await freeSpace(await nearest(home.dir));
  if (free >= needed) return;
  const text = (bytes: number): string =>
    `${Math.ceil(toMegabytes(bytes)).toLocaleString('en')} MB`;
  throw dependencyDown(
    `${home.dir} has ${text(free)} free, and this backup needs about ${text(needed)}.`,
    {
      setting: 'home',
      remedy: `Free up space, or choose a larger disk: ${commandLine('restore', 'DIR', '--home', 'HOME')}`,
    },
  );
}

/** The nearest existing parent of a directory. */
async function nearest(dir: string): Promise<string> {
  const parent = dirname(dir);
  return parent === dir || (await exists(parent)) ? parent : nearest(parent);
}

const unfinishedSchema = z.object({ generation: z.string(), instance_id: z.string() });

/** The backup that a home is being restored from. */
type UnfinishedRestore = z.infer<typeof unfinishedSchema>;

export const writeUnfinishedRestore = (home: Home, what: UnfinishedRestore): Promise<void> =>
  writeFile(home.restoring, `${JSON.stringify(what)}\n`, { mode: 0o600 });

export const clearUnfinishedRestore = (home: Home): Promise<void> =>
  rm(home.restoring, { force: true });

/**
 * Whether this resumes an interrupted restore. @throws OperatorError 1 if that was of another
 * generation.
 */
export async function isResumed(home: Home, wanted: UnfinishedRestore): Promise<boolean> {
  const text = await readFile(home.restoring, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const begun = unfinishedSchema.parse(JSON.parse(text));
  if (begun.generation === wanted.generation && begun.instance_id === wanted.instance_id)
    return true;
  throw failure(`A restore of ${begun.generation} into ${home.dir} was started but not finished.`, {
    code: 'not_empty',
    setting: 'home',
    remedy: `Finish it (${commandLine('restore', 'DIR', '--generation', begun.generation, '--home', home.dir)}), or choose another home.`,
  });
}
