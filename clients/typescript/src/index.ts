import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import { changes, platformChanges } from './changes.js';
import type { ChangesOptions, FollowedChange, PlatformChangesOptions } from './changes.js';
import { check } from './check.js';
import type { Presence } from './check.js';
import { Connection } from './connection.js';
import { toForm } from './form.js';
import type { Change, Image, UploadSetDetails } from './records.js';
import type { RetryOptions } from './retry.js';
import type { paths } from './schema.js';
import { snapshot } from './snapshot.js';
import type { SnapshotLine } from './snapshot.js';
import { upload } from './upload.js';
import type { UploadOptions } from './upload.js';
import { uploadSet } from './upload-set.js';
import type { SetFile, UploadSetOptions } from './upload-set.js';

export type { ChangesOptions, FollowedChange, PlatformChangesOptions };
export type { Presence, RetryOptions, SetFile, SnapshotLine };
export type { UploadOptions, UploadSetOptions };
export type { UploadFields } from './upload.js';
export { FeedExpiredError, ImgstoreError, UnansweredError, UploadSetError } from './errors.js';
export type { Change, Failure, Folder, Image, PlatformChange } from './records.js';
export type { UploadSet, UploadSetDetails } from './records.js';
export type { components, operations, paths } from './schema.js';
export { sha256 } from './sha256.js';

interface Cancellable {
  readonly signal?: AbortSignal;
}

/**
 * Every operation by its path, each request sent once, and beside them what networks that break ask
 * for: these methods repeat requests by themselves, and throw an `ImgstoreError` if one is refused,
 * an `UnansweredError` if none was answered.
 */
export interface ImgstoreClient extends Client<paths> {
  /** Stores a file once, however often it has to be sent. */
  upload(user_id: string, file: Blob, options?: UploadOptions): Promise<Image>;
  /** Tells which files the user has, of any number of SHA-256 hashes. */
  check(user_id: string, hashes: Iterable<string>, options?: Cancellable): Promise<Presence>;
  /** Sends files that belong together, what is missing of them; throws an `UploadSetError`. */
  uploadSet(
    user_id: string,
    files: Iterable<SetFile>,
    options?: UploadSetOptions,
  ): Promise<UploadSetDetails>;
  /** What has changed after a number, and, unless told otherwise, what changes from now on. */
  changes(user_id: string, options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;
  /** The same of all users of a platform, whose token it takes; after a cursor instead of a number. */
  platformChanges(
    platform_id: string,
    options?: PlatformChangesOptions,
  ): AsyncGenerator<FollowedChange, void, undefined>;
  /** All that a user has as of one number, to begin a replica with. */
  snapshot(user_id: string, options?: Cancellable): AsyncGenerator<SnapshotLine, void, undefined>;
}

export interface ImgstoreOptions {
  /** Where the server is, such as `https://images.example`. */
  readonly baseUrl: string;
  /** Whose token it is: the scheme word of the Authorization header. */
  readonly scheme: 'Admin' | 'Platform' | 'User';
  /** An access token. */
  readonly token: string;
  /** Of the methods that repeat requests. */
  readonly retry?: RetryOptions;
}

/**
 * A client whose paths, parameters, bodies and answers are typed. Bodies are sent as multipart
 * forms, so that files and fields travel alike: give a `Blob` for a file.
 *
 * `{ data, error }` of an answer: `data.result` on success, else `error.error.code`.
 */
export function createImgstoreClient(options: ImgstoreOptions): ImgstoreClient {
  const { baseUrl, scheme, token, retry = {} } = options;
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `${scheme} ${token}` },
    bodySerializer: (body) => toForm(body ?? {}),
  });
  const connection = new Connection(client, retry);
  return Object.assign(client, {
    upload: upload.bind(undefined, connection),
    check: check.bind(undefined, connection),
    uploadSet: uploadSet.bind(undefined, connection),
    changes: changes.bind(undefined, connection),
    platformChanges: platformChanges.bind(undefined, connection),
    snapshot: snapshot.bind(undefined, connection),
  });
}
