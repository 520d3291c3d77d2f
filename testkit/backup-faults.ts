import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ManifestEntry } from '../src/ops/backup/manifest.js';

/** A repository to damage, with two generations. */
export interface Damaged {
  readonly dir: string;
  readonly latest: string;
  readonly older: string;
}

/** Replaces a file with a changed copy; other hard links to it keep the old content. */
async function change(path: string, work: (bytes: Buffer) => Buffer): Promise<void> {
  const changed = work(await readFile(path));
  await rm(path);
  await writeFile(path, changed);
}

const flipped = (bytes: Buffer): Buffer => {
  const at = Math.floor(bytes.length / 2);
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

type ObjectFault = readonly [kind: string, damage: (path: string) => Promise<unknown>];

const objectFaults: readonly ObjectFault[] = [
  ['object_hash', (path) => change(path, flipped)],
  ['object_missing', (path) => rm(path)],
  ['object_size', (path) => change(path, (bytes) => bytes.subarray(0, bytes.length / 2))],
  ['object_size', (path) => change(path, () => Buffer.alloc(0))],
  ['object_size', (path) => change(path, (bytes) => Buffer.concat([bytes, Buffer.from('x')]))],
];

/**
 * Damages objects in each way in turn. The last four faults are two objects swapped with each other
 * and two extra files. @returns the expected findings: type and subject.
 */
export async function damageObjects(
  dir: string,
  entries: readonly ManifestEntry[],
  count: number,
): Promise<string[]> {
  const path = (key: string): string => join(dir, 'objects', key);
  const found: string[] = [];
  const chosen = entries.slice(0, count - 4);
  for (const [n, { key }] of chosen.entries()) {
    const [kind, damage] = objectFaults[n % objectFaults.length] as ObjectFault;
    await damage(path(key));
    found.push(`${kind} ${key}`);
  }
  const rest = entries.slice(count - 4);
  const [one] = rest;
  const other = rest.find(({ sha256 }) => sha256 !== one?.sha256);
  if (!one || !other) throw new Error('there are too few objects');
  const aside = join(dir, 'aside');
  await rename(path(one.key), aside);
  await rename(path(other.key), path(one.key));
  await rename(aside, path(other.key));
  found.push(`object_swapped ${one.key}`, `object_swapped ${other.key}`);
  for (const name of ['extra.jpg', 'other.jpg']) {
    const key = `${dirname(one.key)}/${name}`;
    await writeFile(path(key), 'x');
    found.push(`object_extra ${key}`);
  }
  return found.sort();
}

/** A fault in one of the files of a generation. */
export interface FileFault {
  readonly what: string;
  readonly kind: string;
  readonly file: 'database.dump' | 'manifest.ndjson' | 'backup.json';
  readonly damage: (at: Damaged) => Promise<unknown>;
}

const fileOf = ({ dir, latest }: Damaged, name: string, id = latest): string =>
  join(dir, 'generations', id, name);

const fromOlder = (name: FileFault['file']) => (at: Damaged) =>
  rm(fileOf(at, name)).then(() => copyFile(fileOf(at, name, at.older), fileOf(at, name)));

const changing = (name: FileFault['file'], work: (bytes: Buffer) => Buffer) => (at: Damaged) =>
  change(fileOf(at, name), work);

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

const faultsOf = (file: FileFault['file'], kind: string, ofOlder: string): FileFault[] => [
  { what: `${file} with a flipped bit`, kind, file, damage: changing(file, flipped) },
  { what: `${file} cut short`, kind, file, damage: changing(file, half) },
  { what: `${file} emptied`, kind, file, damage: changing(file, () => Buffer.alloc(0)) },
  { what: `${file} of an older backup`, kind: ofOlder, file, damage: fromOlder(file) },
];

/** To be applied one at a time: verification draws no conclusions from a damaged file, so it would miss others. */
export const fileFaults: readonly FileFault[] = [
  ...faultsOf('database.dump', 'dump', 'dump_swapped'),
  ...faultsOf('manifest.ndjson', 'manifest', 'manifest'),
  ...faultsOf('backup.json', 'record', 'record'),
];
