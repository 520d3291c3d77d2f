import { ServiceError } from '../errors/catalogue.js';
import { ext } from './record-fields.js';
import { notation } from './request-fields.js';
import type { ReceivedFile } from './upload.js';
import type { RawFields } from './validate.js';

const digits = /^[0-9A-Fa-f]{64}$/;

/** The fields of every upload: what the client knows of its file. */
export const fileHashFields = {
  image_hash: notation(digits, (text) => text.toLowerCase(), '64 hexadecimal digits (SHA-256)')
    .optional()
    .meta({
      ...ext,
      description:
        'SHA-256 of the file: other bytes are rejected. Put it before the file, so that a repeat with an Idempotency-Key need not send the file',
    }),
};

/** @throws ServiceError `hash_mismatch` if other bytes arrived than the client meant to send. */
export function assertFileHash({ image_hash: expected }: RawFields, { hash }: ReceivedFile): void {
  const actual = hash.toString('hex');
  if (typeof expected !== 'string' || expected === actual) return;
  throw new ServiceError('hash_mismatch', {
    field: 'image_hash',
    message: `The file that arrived has the SHA-256 ${actual}, not ${expected}; send it again.`,
    details: { expected, actual },
  });
}
