import { timeoutOf } from './connection.js';
import type { Connection } from './connection.js';
import { fitsMetadata } from './metadata.js';
import type { Image } from './records.js';
import { resume } from './resume.js';
import { secureCrypto } from './sha256.js';
import { hashOf } from './upload-options.js';
import type { UploadOptions } from './upload-options.js';

/**
 * Files of so many bytes and more are sent by `resume()`. Smaller ones are faster as a form, and soon
 * sent again.
 */
export const resumableBytes = 4 * 1024 * 1024;

/** @throws ImgstoreError, UnansweredError, and the reason of the signal. */
export async function upload(
  connection: Connection,
  user_id: string,
  file: Blob,
  options: UploadOptions = {},
): Promise<Image> {
  const { fields = {}, hash, key = secureCrypto().randomUUID(), signal } = options;
  if (file.size >= resumableBytes && fitsMetadata(fields)) {
    return resume(connection, user_id, file, { ...options, key });
  }
  // The order matters: a server that knows key and hash responds before it reads the file.
  const body = {
    image_hash: await hashOf(file, hash),
    // Forms give each file a name; one that has none would be stored with that.
    ...(file instanceof File ? {} : { original_name: '' }),
    ...fields,
    image_data: file,
  };
  const params = { path: { user_id }, header: { 'Idempotency-Key': key } };
  return connection.result({
    send: (until) =>
      connection.client.POST('/api/v1/users/{user_id}/images', { params, body, signal: until }),
    timeoutMs: timeoutOf(file.size),
    key,
    signal,
  });
}
