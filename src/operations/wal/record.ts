import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '../../config/home.js';

const schema = z.object({
  /** Where WAL is archived. */
  archive: z.string(),
  /** What can be restored, without what older stretches have. */
  from: z.string(),
  until: z.string(),
});

/** What `backup --wal` has last done for a home, for `status` and `doctor`. */
export type WalRecord = z.infer<typeof schema>;

/** @returns null for a home whose WAL was never archived. */
export async function readWalRecord(home: Home): Promise<WalRecord | null> {
  try {
    return schema.parse(JSON.parse(await readFile(home.walRecord, 'utf8')));
  } catch {
    return null;
  }
}

export async function noteWal(home: Home, record: WalRecord): Promise<void> {
  const draft = `${home.walRecord}.new`;
  await writeFile(draft, `${JSON.stringify(record)}\n`);
  await rename(draft, home.walRecord);
}
