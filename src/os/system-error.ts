import { unavailable } from '../errors/catalogue.js';

/** The errno word (`ENOENT`, `ENOSPC`, …) of a failed system call; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  const failed = error instanceof Error && 'syscall' in error && 'code' in error;
  return failed && typeof error.code === 'string' ? error.code : undefined;
}

/** Errnos that say: there is no file by this name. */
export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error) ?? '');
}

/**
 * A failed system call (disk full, no permission, I/O error) as ServiceError `unavailable` with the
 * failure as its cause; any other error as it is.
 */
export function storeFailure(error: unknown): unknown {
  return errnoOf(error) === undefined ? error : unavailable('The object store', error);
}

/** Runs an operation of the store and throws its failures as `storeFailure` tells them. */
export async function storing<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storeFailure(error);
  }
}
