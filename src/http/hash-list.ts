import { textList } from './request-fields.js';

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * Hashes of 1 to `limit` files, in lower case.
 * @param count counts the hashes of a list; by default, duplicates count.
 */
export function hashList(
  limit: number,
  count = (hashes: readonly string[]): number => hashes.length,
) {
  const limitText = limit.toLocaleString('en');
  const words = {
    error: `a list of 1 to ${limitText} SHA-256 hashes, each of 64 hexadecimal digits`,
  };
  return textList(words, { pattern: '^[0-9A-Fa-f]{64}$' })
    .refine((hashes) => hashes.length > 0 && count(hashes) <= limit, words)
    .refine((hashes) => hashes.every(isHash), words)
    .meta({ description: `SHA-256 of 1 to ${limitText} files, hexadecimal` });
}
