import { responseTimeoutMs } from './connection.js';
import type { Connection } from './connection.js';
import type { Image } from './records.js';
import type { operations } from './schema.js';
import { secureCrypto, sha256 } from './sha256.js';

type Form = operations['uploadImage']['requestBody']['content']['multipart/form-data'];

/** Fields that the server stores with a file: coordinates, address, folder, and so on. */
export type UploadFields = Omit<Form, 'image_data' | 'image_hash'>;

export interface UploadOptions {
  readonly fields?: UploadFields;
  /**
   * Idempotency key of this upload: the same in each repeat, so the file is stored once. Default: a new
   * UUID. An app that may restart in the meantime keeps a key with the file.
   */
  readonly key?: string;
  /**
   * SHA-256 of the file in hexadecimal digits, if it is known already; null to send none, for example
   * where a browser cannot compute it: a repeat is then recognized only after the whole file.
   */
  readonly hash?: string | null;
  readonly signal?: AbortSignal;
}

/** The slowest network on which an upload does not time out, in bytes per millisecond. */
const minBytesPerMs = 8;

/** @throws ImgstoreError, UnansweredError, and the reason of the signal. */
export async function upload(
  connection: Connection,
  user_id: string,
  file: Blob,
  { fields, hash, key = secureCrypto().randomUUID(), signal }: UploadOptions = {},
): Promise<Image> {
  // The order matters: a server that knows key and hash responds before it reads the file.
  const image_hash = hash === null ? undefined : (hash ?? (await sha256(file)));
  const body = { image_hash, ...fields, image_data: file };
  const params = { path: { user_id }, header: { 'Idempotency-Key': key } };
  return connection.result({
    send: (until) =>
      connection.client.POST('/api/v1/users/{user_id}/images', { params, body, signal: until }),
    timeoutMs: responseTimeoutMs + file.size / minBytesPerMs,
    key,
    signal,
  });
}
