import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { selectSetTotals } from './queries.js';

/** What all upload sets of one user, open and complete, may be together. */
export interface UploadSetLimits {
  readonly sets: number;
  /** Files that they expect. */
  readonly files: number;
}

const wayOut =
  'Delete sets that are complete or given up (DELETE …/upload-sets/{upload_set_id}); images stay.';

/**
 * The caller holds the user's lock, so that it stays true.
 * @throws ServiceError `too_many_upload_sets` if there is no room for a set of so many files.
 */
export async function assertRoomForSet(
  tx: Queryable,
  userId: string,
  files: number,
  most: UploadSetLimits,
): Promise<void> {
  const used = await selectSetTotals(tx, userId);
  const details = { ...used, max_sets: most.sets, max_files: most.files };
  if (used.sets >= most.sets) {
    const message = `A user can have at most ${most.sets} upload sets, which upload_sets.max_per_user sets. ${wayOut}`;
    throw new ServiceError('too_many_upload_sets', { message, details });
  }
  if (used.files + files > most.files) {
    const message = `The upload sets of a user can expect at most ${most.files} files together, which upload_sets.max_files_per_user sets; there are ${used.files} already. ${wayOut}`;
    throw new ServiceError('too_many_upload_sets', { message, details, field: 'hashes' });
  }
}
