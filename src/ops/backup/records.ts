import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import { replaceFile } from '../../base/os/files.js';

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

const backupSchema = z.object({ backup: made.nullable(), drill: proved.nullable() });

/** When a backup of a home was last made, and last proved by a drill, for `status` and `doctor`. */
export type BackupRecords = z.infer<typeof backupSchema>;

const walSchema = z.object({
  /** Directory of the archive. */
  archive: z.string(),
  /** The range that can be restored, without older stretches. */
  from: z.string(),
  until: z.string(),
});

/** The latest state of `backup --wal` for a home, for `status` and `doctor`. */
export type WalRecord = z.infer<typeof walSchema>;

export const readBackupRecords = async (home: Home): Promise<BackupRecords> =>
  (await read(home.backupRecords, backupSchema)) ?? { backup: null, drill: null };

export async function recordBackup(home: Home, news: Partial<BackupRecords>): Promise<void> {
  const records = { ...(await readBackupRecords(home)), ...news };
  await replaceFile(home.backupRecords, `${JSON.stringify(records, null, 2)}\n`);
}

/** @returns null for a home whose WAL was never archived. */
export const readWalRecord = (home: Home): Promise<WalRecord | null> =>
  read(home.walRecord, walSchema);

export const writeWalRecord = (home: Home, record: WalRecord): Promise<void> =>
  replaceFile(home.walRecord, `${JSON.stringify(record)}\n`);

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
