import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../../base/config/home.js';

/** Runs `work` with an empty folder for objects in transit, and removes it afterward. */
export async function withScratch<T>(
  home: Home,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  const scratch = join(home.dir, 'moving');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
