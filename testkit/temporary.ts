import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that the caller removes; named after this process, in case it is killed first. */
export const temporaryDirectory = (what: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `imgstore-${what}-${process.pid}-`));

const named = /^imgstore-[a-z]+-(\d+)-\w{6}$/;

/**
 * Removes the folders of processes that are gone. A database server still running in one ends
 * within a minute, when it notices that its pid file is missing.
 */
export async function sweepTemporaryDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(named.exec(name)?.[1] ?? process.pid);
    if (isAlive(owner)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
