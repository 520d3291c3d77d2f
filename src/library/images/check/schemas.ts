import { z } from 'zod';
import { hashList } from '../../../http/request-fields.js';
import { fileHash, id } from '../../../http/record-fields.js';

/** Maximum number of hashes per request. */
export const checkLimit = 5_000;

/** The same number as written in documentation. */
export const checkLimitText = checkLimit.toLocaleString('en');

/** Maximum number of images listed per hash. */
export const imagesPerHash = 20;

export const checkFields = z.object({
  hashes: hashList(checkLimit),
});

export const checkResult = z.object({
  present: z.array(
    z.object({
      hash: fileHash,
      images: z
        .array(z.object({ id, version: z.int(), in_trash: z.boolean() }))
        .meta({ description: `the oldest ${imagesPerHash}, oldest first` }),
    }),
  ),
  missing: z.array(fileHash),
});
export type CheckResult = z.output<typeof checkResult>;
