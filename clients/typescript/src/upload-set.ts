import { asJson } from './connection.js';
import type { Connection } from './connection.js';
import { ImgstoreError, UploadSetError } from './errors.js';
import type { UploadSet, UploadSetDetails } from './records.js';
import { secureCrypto, sha256 } from './sha256.js';
import { upload } from './upload.js';
import type { UploadFields } from './upload-options.js';

export interface SetFile {
  readonly file: Blob;
  readonly fields?: Omit<UploadFields, 'upload_set_id'>;
  /** SHA-256 of the file in hexadecimal digits, if it is known already. */
  readonly hash?: string;
}

export interface UploadSetOptions {
  readonly title?: string;
  /** Folder for files whose fields specify none. */
  readonly folder_id?: string;
  /** Id of a set announced before, whose missing files are sent. */
  readonly id?: string;
  /** Idempotency key of the announcement, the same in each repeat; default: a new UUID. */
  readonly key?: string;
  /** Number of files sent concurrently; default: 3. */
  readonly concurrency?: number;
  /** Called once the set is announced, so that its id can be kept, and after each file. */
  readonly onProgress?: (progress: Pick<UploadSet, 'id' | 'expected' | 'arrived'>) => void;
  readonly signal?: AbortSignal;
}

/** Statuses that reject a single file, while others may still succeed. */
const singleFileStatuses = new Set([400, 413, 422]);

/**
 * Announces files as a set, or resumes one, and sends the missing files.
 * @returns the complete set.
 * @throws UploadSetError if files are missing at the end; before the set is announced, as uploads do.
 */
export async function uploadSet(
  connection: Connection,
  user_id: string,
  files: Iterable<SetFile>,
  options: UploadSetOptions = {},
): Promise<UploadSetDetails> {
  const { signal, concurrency = 3, onProgress } = options;
  const known = new Map<string, SetFile>();
  // One after the other, since each file is in memory while it is hashed.
  for (const one of files) known.set((one.hash ?? (await sha256(one.file))).toLowerCase(), one);
  const id = options.id ?? (await announce(connection, user_id, [...known.keys()], options)).id;
  const read = (): Promise<UploadSetDetails> => readSet(connection, user_id, id, signal);
  const set = await read();
  const failures = new Map<string, Error>();
  let { arrived } = set;
  let stopped = false;
  onProgress?.(set);

  const waiting = set.missing.filter((hash) => known.has(hash)).values();
  const sendInTurn = async (): Promise<void> => {
    for (const hash of waiting) {
      if (stopped) return;
      const { file, fields } = known.get(hash) as SetFile;
      // The same key when the set is resumed after a restart, so no file is stored twice.
      const key = `${id}:${hash}`;
      const how = { hash, key, fields: { ...fields, upload_set_id: id }, signal };
      try {
        await upload(connection, user_id, file, how);
        onProgress?.({ id, expected: set.expected, arrived: (arrived += 1) });
      } catch (error) {
        failures.set(hash, error as Error);
        stopped ||= !(error instanceof ImgstoreError && singleFileStatuses.has(error.status));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  signal?.throwIfAborted();
  if (stopped) throw new UploadSetError({ ...set, arrived }, failures);
  const end = await read();
  if (end.state !== 'complete') throw new UploadSetError(end, failures);
  return end;
}

function announce(
  connection: Connection,
  user_id: string,
  hashes: string[],
  { title, folder_id, key = secureCrypto().randomUUID(), signal }: UploadSetOptions,
): Promise<UploadSet> {
  const params = { path: { user_id }, header: { 'Idempotency-Key': key } };
  const how = { params, body: { hashes, title, folder_id }, bodySerializer: asJson };
  return connection.result({
    send: (until) =>
      connection.client.POST('/api/v1/users/{user_id}/upload-sets', { ...how, signal: until }),
    key,
    signal,
  });
}

function readSet(
  connection: Connection,
  user_id: string,
  upload_set_id: string,
  signal: AbortSignal | undefined,
): Promise<UploadSetDetails> {
  const params = { path: { user_id, upload_set_id } };
  const path = '/api/v1/users/{user_id}/upload-sets/{upload_set_id}';
  return connection.result({
    send: (until) => connection.client.GET(path, { params, signal: until }),
    signal,
  });
}
