import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../config/home.js';
import { isFileMissing } from '../os/system-error.js';

/** What the file of a home with its backups says of each, as far as it matters here. */
interface BackupRecord {
  readonly ended_at: string;
  /** Why it is not a good one. */
  readonly error: string | null;
}

/** When the last good backup of a home ended; undefined if there has been none. */
export async function lastBackup(home: Home): Promise<Date | undefined> {
  const text = await readFile(join(home.dir, 'backups.json'), 'utf8').catch((error: unknown) => {
    if (isFileMissing(error)) return '[]';
    throw error;
  });
  const times = (JSON.parse(text) as BackupRecord[])
    .filter(({ error }) => error === null)
    .map(({ ended_at }) => Date.parse(ended_at));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
