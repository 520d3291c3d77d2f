import { stat } from 'node:fs/promises';
import type { Home } from '../../base/config/home.js';

/** Those of the folders that exist. */
export async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  return folders.filter((_folder, index) => found[index]?.isDirectory());
}

/** One folder of the home on each of its disks. */
export async function disksOf({ dir, store, incoming, database }: Home): Promise<string[]> {
  const folders = await existing([store, incoming, database, dir]);
  const disks = await Promise.all(folders.map(async (folder) => (await stat(folder)).dev));
  return folders.filter((_folder, index) => disks.indexOf(disks[index] ?? 0) === index);
}
