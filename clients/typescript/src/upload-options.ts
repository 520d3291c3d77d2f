import type { operations } from './schema.js';
import { sha256 } from './sha256.js';

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

/** The hash to send with a file. */
export const hashOf = async (
  file: Blob,
  hash: UploadOptions['hash'],
): Promise<string | undefined> => (hash === null ? undefined : (hash ?? (await sha256(file))));
