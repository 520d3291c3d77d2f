import { z } from 'zod';
import { expecting, textList } from '../../http/request-fields.js';
import { id } from '../../http/record-fields.js';

/** How many hashes may be asked for at once. */
export const checkLimit = 5_000;

/** The same number as written in documentation. */
export const checkLimitText = checkLimit.toLocaleString('en');

/** How many images are listed for one hash. */
export const imagesPerHash = 20;

const words = expecting(
  `a list of 1 to ${checkLimitText} SHA-256 hashes, each of 64 hexadecimal digits`,
);
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export const checkFields = z.object({
  hashes: textList(words, { pattern: '^[0-9A-Fa-f]{64}$' })
    .refine((hashes) => hashes.length > 0 && hashes.length <= checkLimit, words)
    .refine((hashes) => hashes.every(isHash), words)
    .meta({ description: `SHA-256 of 1 to ${checkLimitText} files, hexadecimal` }),
});

const hash = z.string().meta({ description: 'SHA-256 in lower case' });

export const checkResult = z.object({
  present: z.array(
    z.object({
      hash,
      images: z
        .array(z.object({ id, version: z.int(), in_trash: z.boolean() }))
        .meta({ description: `the oldest ${imagesPerHash}, oldest first` }),
    }),
  ),
  missing: z.array(hash),
});
export type CheckResult = z.output<typeof checkResult>;
