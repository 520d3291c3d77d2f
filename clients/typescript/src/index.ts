import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import { changes, platformChanges } from './changes.js';
import type { ChangesOptions, FollowedChange, PlatformChangesOptions } from './changes.js';
import { check } from './check.js';
import type { Presence } from './check.js';
import { Connection } from './connection.js';
import { toForm } from './form.js';
import { linksOf } from './links.js';
import type { LinkChanges, Links, NewLink } from './links.js';
import { archive, batch, days, ledger } from './many.js';
import type { Archive, ArchiveOf, Batch, BatchResult, Days, DaysOf, Keyed } from './many.js';
import type { Ledger, LedgerOf } from './many.js';
import type { Change, Image, UploadSetDetails } from './records.js';
import { resume } from './resume.js';
import type { ResumeOptions, ResumeProgress } from './resume.js';
import type { RetryOptions } from './retry.js';
import type { paths } from './schema.js';
import { snapshot } from './snapshot.js';
import type { SnapshotLine } from './snapshot.js';
import { upload } from './upload.js';
import type { UploadOptions } from './upload-options.js';
import { uploadSet } from './upload-set.js';
import type { SetFile, UploadSetOptions } from './upload-set.js';

export type { ChangesOptions, FollowedChange, PlatformChangesOptions };
export type { Archive, ArchiveOf, Batch, BatchResult, Days, DaysOf, Ledger, LedgerOf };
export type { LinkChanges, Links, NewLink };
export type { Presence, ResumeOptions, ResumeProgress, RetryOptions, SetFile, SnapshotLine };
export type { UploadOptions, UploadSetOptions };
export type { UploadFields } from './upload-options.js';
export { resumableBytes } from './upload.js';
export { FeedExpiredError, ImgstoreError, UnansweredError, UploadSetError } from './errors.js';
export type { Change, Failure, Folder, Image, Link, PlatformChange } from './records.js';
export type { UploadSet, UploadSetDetails } from './records.js';
export type { components, operations, paths } from './schema.js';
export { sha256 } from './sha256.js';

interface Cancellable {
  readonly signal?: AbortSignal;
}

/**
 * Every operation by its path, each request sent once, and methods for unreliable networks: these retry
 * requests, and throw an `ImgstoreError` if one is rejected, or an `UnansweredError` if no attempt got a
 * response.
 */
export interface ImgstoreClient extends Client<paths> {
  /** Stores a file once, however often it has to be sent; from `resumableBytes` on as `resume()` does. */
  upload(user_id: string, file: Blob, options?: UploadOptions): Promise<Image>;
  /** Stores a file of any size once, and sends only what has not arrived. */
  resume(user_id: string, file: Blob, options?: ResumeOptions): Promise<Image>;
  /** Checks which files the user has, for any number of SHA-256 hashes. */
  check(user_id: string, hashes: Iterable<string>, options?: Cancellable): Promise<Presence>;
  /** Sends the missing files of a set that belongs together; throws an `UploadSetError`. */
  uploadSet(
    user_id: string,
    files: Iterable<SetFile>,
    options?: UploadSetOptions,
  ): Promise<UploadSetDetails>;
  /** Changes after a number, followed by new ones as they happen unless `follow` is false. */
  changes(user_id: string, options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;
  /** The same for all users of a platform, with its token and a cursor instead of a number. */
  platformChanges(
    platform_id: string,
    options?: PlatformChangesOptions,
  ): AsyncGenerator<FollowedChange, void, undefined>;
  /** Links that show images to people without an account, or ask them for some. */
  readonly links: Links;
  /** Changes up to 1,000 images, all or none. */
  batch(user_id: string, body: Batch, options?: Keyed): Promise<BatchResult>;
  /** The days of a list, newest first, with the number of images of each. */
  days(user_id: string, query?: DaysOf, options?: Cancellable): Promise<Days>;
  /** The address of a ZIP of images, which needs no header. */
  archive(user_id: string, of: ArchiveOf, options?: Cancellable): Promise<Archive>;
  /** The address of a PDF or workbook of images with captions, which needs no header. */
  ledger(user_id: string, of: LedgerOf, options?: Cancellable): Promise<Ledger>;
  /** All data of a user as of one number, to start a replica. */
  snapshot(user_id: string, options?: Cancellable): AsyncGenerator<SnapshotLine, void, undefined>;
}

export interface ImgstoreOptions {
  /** URL of the server, such as `https://images.example`. */
  readonly baseUrl: string;
  /** The scheme of the Authorization header, by the type of the token. */
  readonly scheme: 'Admin' | 'Platform' | 'User';
  /** An access token. */
  readonly token: string;
  /** Options of the methods that retry requests. */
  readonly retry?: RetryOptions;
}

/**
 * A client with typed paths, parameters, bodies, and responses. Bodies are sent as multipart forms, which
 * carry both files and fields: pass a `Blob` for a file.
 *
 * A call returns `{ data, error }`: `data.result` on success, otherwise `error.error.code`.
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
    resume: resume.bind(undefined, connection),
    links: linksOf(connection),
    batch: batch.bind(undefined, connection),
    days: days.bind(undefined, connection),
    archive: archive.bind(undefined, connection),
    ledger: ledger.bind(undefined, connection),
    check: check.bind(undefined, connection),
    uploadSet: uploadSet.bind(undefined, connection),
    changes: changes.bind(undefined, connection),
    platformChanges: platformChanges.bind(undefined, connection),
    snapshot: snapshot.bind(undefined, connection),
  });
}
