import { answerMs } from './connection.js';
import type { Connection } from './connection.js';
import type { Image } from './records.js';
import type { operations } from './schema.js';
import { secureCrypto, sha256 } from './sha256.js';

type Form = operations['uploadImage']['requestBody']['content']['multipart/form-data'];

/** What the server keeps with a file: place, address, folder and so on. */
export type UploadFields = Omit<Form, 'image_data' | 'image_hash'>;

export interface UploadOptions {
  readonly fields?: UploadFields;
  /**
   * Name of this upload: the same in each repeat, so that it happens once. Default: a UUID made for
   * this call. An app that may be restarted meanwhile keeps one with the file.
   */
  readonly key?: string;
  /**
   * SHA-256 of the file in hexadecimal digits, if it is known already; null to send none, as where a
   * browser cannot make it: a repeat is then recognized after the whole file.
   */
  readonly hash?: string | null;
  readonly signal?: AbortSignal;
}

/** The slowest network on which a file is still waited for, in bytes per millisecond. */
const slowest = 8;

/** @throws ImgstoreError, UnansweredError, and the reason of the signal. */
export async function upload(
  connection: Connection,
  user_id: string,
  file: Blob,
  { fields, hash, key = secureCrypto().randomUUID(), signal }: UploadOptions = {},
): Promise<Image> {
  // In this order: a server that knows key and hash answers before it reads the file.
  const image_hash = hash === null ? undefined : (hash ?? (await sha256(file)));
  const body = { image_hash, ...fields, image_data: file };
  const params = { path: { user_id }, header: { 'Idempotency-Key': key } };
  return connection.result({
    send: (until) =>
      connection.client.POST('/api/v1/users/{user_id}/images', { params, body, signal: until }),
    limitMs: answerMs + file.size / slowest,
    key,
    signal,
  });
}
