import type { UploadSet } from './records.js';

/** The server rejected a request: it had no effect, and a retry would be rejected, too. */
export class ImgstoreError extends Error {
  override readonly name: string = 'ImgstoreError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** A stable word, such as `corrupt_image`; `http_` and the status if the response is not from imgstore. */
    readonly code: string,
    message: string,
    /** The field that caused the error, if any. */
    readonly field?: string,
    readonly details?: unknown,
  ) {
    super(`${code}: ${message}`);
  }
}

/** The entries after a number or cursor have expired: take a snapshot instead. */
export class FeedExpiredError extends ImgstoreError {
  override readonly name = 'FeedExpiredError';

  constructor(after: number | string | undefined, remedy: string, details: unknown) {
    const message = `Changes after ${after ?? 'the beginning'} are no longer kept. ${remedy}`;
    super(410, 'feed_expired', message, 'after', details);
  }
}

/** No attempt got a final response, the last one because of `cause`. The request may have taken effect. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  constructor(
    message: string,
    cause: unknown,
    /** Idempotency key for repeating the request, so that it takes effect once; undefined for reads. */
    readonly key?: string,
  ) {
    super(message, { cause });
  }
}

/** Not all files of an upload set have arrived. `uploadSet()` with the set's id sends the rest. */
export class UploadSetError extends Error {
  override readonly name = 'UploadSetError';

  constructor(
    /** The last known state. */
    readonly set: UploadSet,
    /** The errors of failed files, by their hashes. */
    readonly failures: ReadonlyMap<string, Error>,
  ) {
    const [first] = failures.values();
    const reason = first
      ? `the first failure: ${first.message}`
      : 'the remaining files were not passed';
    super(
      `${set.arrived} of ${set.expected} files of upload set ${set.id} have arrived; ${reason}`,
      {
        cause: first,
      },
    );
  }
}
