import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';

const schema = z.object({
  /** Directory of the archive. */
  archive: z.string(),
  /** The range that can be restored, without older stretches. */
  from: z.string(),
  until: z.string(),
});

/** The latest state of `backup --wal` for a home, for `status` and `doctor`. */
export type WalRecord = z.infer<typeof schema>;

/** @returns null for a home whose WAL was never archived. */
export async function readWalRecord(home: Home): Promise<WalRecord | null> {
  try {
    return schema.parse(JSON.parse(await readFile(home.walRecord, 'utf8')));
  } catch {
    return null;
  }
}

export async function writeWalRecord(home: Home, record: WalRecord): Promise<void> {
  const draft = `${home.walRecord}.new`;
  await writeFile(draft, `${JSON.stringify(record)}\n`);
  await rename(draft, home.walRecord);
}
