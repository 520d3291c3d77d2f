import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodersFolder } from '../src/imaging/sandbox.js';

/** A new directory that the caller removes. Its name has the pid, in case the process is killed first. */
export const temporaryDirectory = (what: string, place = tmpdir()): Promise<string> =>
  mkdtemp(join(place, `imgstore-${what}-${process.pid}-`));

/** The parent of temporary directories that must be on a disk even if the others are in memory. */
export const temporaryDisk = (): string => process.env.IMGSTORE_TEST_DISK ?? tmpdir();

const named = /^imgstore-[a-z]+-(\d+)-\w{6}$/;

/** The directories of processes that have ended, which the test runner removes. */
export async function abandonedDirectories(): Promise<string[]> {
  const isAbandoned = (name: string): boolean =>
    !isAlive(Number(named.exec(name)?.[1] ?? process.pid));
  const places = [...new Set([tmpdir(), temporaryDisk()])];
  const found = places.map(async (place) =>
    (await readdir(place)).filter(isAbandoned).map((name) => join(place, name)),
  );
  return (await Promise.all(found)).flat();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The names of uploads in an incoming folder; imaging processes have their folder there, too. */
export const uploadsIn = async (incoming: string): Promise<string[]> =>
  (await readdir(incoming)).filter((name) => name !== decodersFolder);
