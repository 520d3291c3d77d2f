import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { selectSetTotals } from './upload-sets.sql.js';

/** Limits on all upload sets of one user together, open and complete. */
export interface UploadSetLimits {
  readonly sets: number;
  /** Expected files. */
  readonly files: number;
}

const remedy =
  'Delete complete or abandoned sets (DELETE …/upload-sets/{upload_set_id}); images stay.';

/**
 * The caller must hold the user's lock, so that the result stays valid. @throws ServiceError
 * `too_many_upload_sets` if a set of this many files would exceed a limit.
 */
export async function assertWithinSetLimits(
  tx: Queryable,
  userId: string,
  files: number,
  limits: UploadSetLimits,
): Promise<void> {
  const used = await selectSetTotals(tx, userId);
  const details = { ...used, max_sets: limits.sets, max_files: limits.files };
  if (used.sets >= limits.sets) {
    const message = `A user can have at most ${limits.sets} upload sets, which upload_sets.max_per_user sets. ${remedy}`;
    throw new ServiceError('too_many_upload_sets', { message, details });
  }
  if (used.files + files > limits.files) {
    const message = `The upload sets of a user can expect at most ${limits.files} files together, which upload_sets.max_files_per_user sets; there are ${used.files} already. ${remedy}`;
    throw new ServiceError('too_many_upload_sets', { message, details, field: 'hashes' });
  }
}
