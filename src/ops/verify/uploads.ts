import type { DataSource } from 'typeorm';
import { readInstance } from '../../database/instance.js';
import type { ObjectStore } from '../../store/port.js';
import { isQueued } from '../../library/reclaim/pending-keys.js';
import type { Differences } from './differences.js';
import { subjectOf } from './objects.js';

export interface UploadParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'unfinished'>;
  readonly platformId: string | undefined;
  readonly differences: Differences;
}

/**
 * Checks for unfinished multipart uploads that the reclaim job will not remove. A move of the
 * objects creates such uploads for keys in use, so nothing is reported while one is in progress.
 */
export async function verifyUploads({ db, store, ...parts }: UploadParts): Promise<void> {
  if ((await readInstance(db)).moving) return;
  const { platformId, differences } = parts;
  const suspects = new Set<string>();
  for await (const { key } of store.unfinished()) {
    if (platformId !== undefined && !key.startsWith(`${platformId}/`)) continue;
    if (!(await isQueued(db, key))) suspects.add(key);
  }
  if (suspects.size === 0) return;
  // An upload that completed in the meantime removed its keys from the queue.
  for await (const { key } of store.unfinished()) {
    if (!suspects.delete(key)) continue;
    differences.add({ kind: 'upload_unfinished', ...subjectOf(key), expected: null, found: null });
  }
}
