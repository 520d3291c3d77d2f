import type { DataSource } from 'typeorm';
import { readInstance } from '../../database/instance.js';
import type { ObjectStore } from '../../store/port.js';
import { isListed } from '../../reclaim/pending-keys.js';
import type { Differences } from './differences.js';
import { subjectOf } from './objects.js';

export interface UploadParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'unfinished'>;
  readonly platformId: string | undefined;
  readonly differences: Differences;
}

/**
 * Looks for uploads in parts that broke off and that the reclaim job will not take along. A move of
 * the objects makes such uploads for keys that are in use: while it is under way, nothing is said.
 */
export async function verifyUploads({ db, store, ...parts }: UploadParts): Promise<void> {
  if ((await readInstance(db)).moving) return;
  const { platformId, differences } = parts;
  const suspects = new Set<string>();
  for await (const { key } of store.unfinished()) {
    if (platformId !== undefined && !key.startsWith(`${platformId}/`)) continue;
    if (!(await isListed(db, key))) suspects.add(key);
  }
  if (suspects.size === 0) return;
  // One that was completed meanwhile took its keys off the list.
  for await (const { key } of store.unfinished()) {
    if (!suspects.delete(key)) continue;
    differences.add({ kind: 'upload_unfinished', ...subjectOf(key), expected: null, found: null });
  }
}
