import { chmod, chown, copyFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Home } from '../../base/config/home.js';
import { lastLines, run, type Identity } from '../../base/os/run.js';
import { exists, stamp, syncFolder } from '../../base/os/files.js';
import {
  clusterFiles,
  clusterMajor,
  clusterPassword,
  prepareFiles,
  type ClusterFiles,
  serverIdentity,
  settingFiles,
} from './cluster-files.js';
import { PrivateCluster, type Lease } from './cluster.js';
import type { Engine } from './engine.js';
import { withoutServer } from './postmaster.js';

/**
 * The cluster that is to replace a home's own is built in a nested home on the same disk, so that a
 * rename can put it in place.
 */
const nextHome = (home: Home): Home => new Home(join(home.database, 'next'));

export interface NextCluster {
  readonly lease: Lease;
  /** Why the settings of the present cluster could not be carried over; undefined if they were. */
  readonly settingsLost: string | undefined;
}

/** Creates an empty cluster beside the home's own, with its password and settings, and starts it. */
export async function openNextCluster(
  home: Home,
  engine: Engine,
  signal?: AbortSignal,
): Promise<NextCluster> {
  await clearNextCluster(home);
  try {
    return await buildNextCluster(home, engine, signal);
  } catch (error) {
    await clearNextCluster(home);
    throw error;
  }
}

async function buildNextCluster(
  home: Home,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<NextCluster> {
  const next = nextHome(home);
  const [from, to] = [clusterFiles(home), clusterFiles(next)];
  // A home that was created with an external database has neither folder nor password yet.
  await prepareFiles(from, await serverIdentity(from.data));
  await clusterPassword(from, true);
  for (const dir of [next.dir, next.run, next.database]) {
    await mkdir(dir);
    await chmod(dir, 0o711); // the server's own user passes through
  }
  await mkdir(next.secrets, { mode: 0o700 });
  await copyFile(from.password, to.password);
  const cluster = new PrivateCluster(next, async () => engine);
  await cluster.create(signal);
  const identity = await serverIdentity(to.data);
  const settingsLost = (await clusterMajor(from))
    ? await copySettings(from, to, engine, identity)
    : undefined;
  return { lease: await cluster.open(signal), settingsLost };
}

/** Removes what an interrupted run left. */
export const clearNextCluster = (home: Home): Promise<void> => clearCluster(nextHome(home));

/** Removes a home that is a cluster alone, once no server uses it. */
export async function clearCluster(home: Home): Promise<void> {
  const files = clusterFiles(home);
  const clear = async (): Promise<void> => {
    await rm(home.dir, { recursive: true, force: true });
    await rm(files.socketDir, { recursive: true, force: true }); // it may be in /tmp
  };
  await ((await exists(home.run)) ? withoutServer(files, undefined, clear) : clear());
}

/** Copies the settings, unless the new version rejects them. @returns why it did. */
async function copySettings(
  { data: from }: ClusterFiles,
  { data: to }: ClusterFiles,
  engine: Engine,
  identity: Identity | undefined,
): Promise<string | undefined> {
  const own = `${to}.settings`;
  await mkdir(own, { mode: 0o700 });
  for (const name of settingFiles) {
    await rename(join(to, name), join(own, name));
    await cp(join(from, name), join(to, name));
    if (identity) await chown(join(to, name), identity.uid, identity.gid);
  }
  const { code, output } = await run(
    join(engine.bin, 'postgres'),
    ['-D', to, '-C', 'max_connections'],
    { as: identity, env: engine.env },
  );
  if (code !== 0) {
    for (const name of settingFiles) await rename(join(own, name), join(to, name));
  }
  await rm(own, { recursive: true });
  return code === 0 ? undefined : lastLines(output, 2);
}

const oldPrefix = 'cluster.old-';

/** The clusters that were replaced, latest last. */
export async function oldClusters(home: Home): Promise<string[]> {
  const names = await readdir(home.database).catch(() => []);
  const old = names.filter((name) => name.startsWith(oldPrefix)).sort();
  return old.map((name) => join(home.database, name));
}

/**
 * Replaces the home's own cluster, which is kept and must not be in use, with the next one, whose
 * lease must be closed. @returns the new path of the old one; undefined if there was none.
 */
export async function switchClusters(home: Home): Promise<string | undefined> {
  const files = clusterFiles(home);
  const nextData = clusterFiles(nextHome(home)).data;
  return withoutServer(files, undefined, async () => {
    const major = await clusterMajor(files);
    const old = join(home.database, `${oldPrefix}${stamp()}-postgresql-${major}`);
    if (major !== undefined) await rename(files.data, old);
    await rename(nextData, files.data);
    await syncFolder(dirname(files.data));
    await clearNextCluster(home);
    return major === undefined ? undefined : old;
  });
}

/** Puts the old cluster back if a run was killed between the two renames of a switch. */
export async function settleSwitch(home: Home): Promise<void> {
  const files = clusterFiles(home);
  if ((await clusterMajor(files)) !== undefined) return;
  if ((await oldClusters(home)).length === 0) return;
  await withoutServer(files, undefined, async () => {
    const old = (await oldClusters(home)).at(-1);
    if (old === undefined || (await clusterMajor(files)) !== undefined) return;
    await rename(old, files.data);
    await syncFolder(dirname(files.data));
  });
}

/** Removes the clusters that were replaced. @returns their names. */
export async function removeOldClusters(home: Home): Promise<string[]> {
  const old = await oldClusters(home);
  for (const dir of old) await rm(dir, { recursive: true, force: true });
  return old.map((dir) => basename(dir));
}
