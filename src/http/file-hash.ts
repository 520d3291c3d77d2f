import { ServiceError } from '../base/errors/catalogue.js';
import { ext } from './record-fields.js';
import { notation } from './request-fields.js';
import type { ReceivedFile } from './upload.js';
import type { RawFields } from './validate.js';

const digits = /^[0-9A-Fa-f]{64}$/;

/** The fields of every upload that describe its file. */
export const fileHashFields = {
  image_hash: notation(digits, (text) => text.toLowerCase(), '64 hexadecimal digits (SHA-256)')
    .optional()
    .meta({
      ...ext,
      description:
        'SHA-256 of the file; a file with another hash is rejected. Send it before the file, so that a repeat with an Idempotency-Key need not send the file',
    }),
};

/**
 * @throws ServiceError `hash_mismatch` if the received bytes do not have the hash that the client
 *   sent.
 */
export function assertFileHash({ image_hash: expected }: RawFields, { hash }: ReceivedFile): void {
  if (typeof expected !== 'string') return;
  const actual = hash.toString('hex');
  if (expected === actual) return;
  throw new ServiceError('hash_mismatch', {
    field: 'image_hash',
    message: `The file that arrived has the SHA-256 ${actual}, not ${expected}; send it again.`,
    details: { expected, actual },
  });
}
