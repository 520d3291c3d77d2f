import type { UploadSet } from './records.js';

/** The server refused a request: nothing has happened, and sending it again changes nothing. */
export class ImgstoreError extends Error {
  override readonly name: string = 'ImgstoreError';

  constructor(
    /** Of HTTP. */
    readonly status: number,
    /** A stable word, such as `corrupt_image`; `http_` and the status if it was not imgstore that answered. */
    readonly code: string,
    message: string,
    /** The field at fault, if there is one. */
    readonly field?: string,
    readonly details?: unknown,
  ) {
    super(`${code}: ${message}`);
  }
}

/** The entries that follow a number or cursor are no longer kept: what they told is in snapshots. */
export class FeedExpiredError extends ImgstoreError {
  override readonly name = 'FeedExpiredError';

  constructor(after: number | string | undefined, wayOut: string, details: unknown) {
    const message = `Changes after ${after ?? 'the beginning'} are no longer kept. ${wayOut}`;
    super(410, 'feed_expired', message, 'after', details);
  }
}

/** No attempt was answered for good, the last one because of `cause`. It has happened or not. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  constructor(
    message: string,
    cause: unknown,
    /** To repeat the request with, so that it happens once; undefined of reads. */
    readonly key?: string,
  ) {
    super(message, { cause });
  }
}

/** Not all files of an upload set have arrived. `uploadSet()` with the set's id sends the rest. */
export class UploadSetError extends Error {
  override readonly name = 'UploadSetError';

  constructor(
    /** As it was last known. */
    readonly set: UploadSet,
    /** What came of the files that failed, by their hashes. */
    readonly failures: ReadonlyMap<string, Error>,
  ) {
    const [first] = failures.values();
    const reason = first ? `the first failure: ${first.message}` : 'the rest was not given';
    super(
      `Of upload set ${set.id}, ${set.arrived} of ${set.expected} files have arrived; ${reason}`,
      {
        cause: first,
      },
    );
  }
}
