import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';

const made = z.object({
  at: z.string(),
  repository: z.string(),
  generation: z.string(),
  objects: z.int(),
  bytes: z.int(),
});

const proved = z.object({
  at: z.string(),
  repository: z.string(),
  generation: z.string(),
  ok: z.boolean(),
  faults: z.int(),
});

const schema = z.object({ backup: made.nullable(), drill: proved.nullable() });

/** When a backup of a home was last made, and last proved by a drill, for `status` and `doctor`. */
export type BackupRecords = z.infer<typeof schema>;

export async function readBackupRecords(home: Home): Promise<BackupRecords> {
  try {
    return schema.parse(JSON.parse(await readFile(home.backupRecords, 'utf8')));
  } catch {
    return { backup: null, drill: null };
  }
}

export async function recordBackup(home: Home, news: Partial<BackupRecords>): Promise<void> {
  const records = { ...(await readBackupRecords(home)), ...news };
  const draft = `${home.backupRecords}.new`;
  await writeFile(draft, `${JSON.stringify(records, null, 2)}\n`);
  await rename(draft, home.backupRecords);
}
