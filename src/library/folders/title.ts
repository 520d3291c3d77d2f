import { z } from 'zod';
import { asText, expecting } from '../../http/request-fields.js';

const maxLength = 255;

/** UTF-16 units of a title before normalizing, which joins up to four characters of two units each. */
const maxUnits = 8 * maxLength;

/** Titles are joined into paths such as `/a/b`; control characters would garble those as well. */
const forbidden = /[/\p{Cc}\p{Cs}]/u;

const words = expecting(
  `a title of 1 to ${maxLength} characters without "/" or control characters`,
);

function fits(title: string): boolean {
  const length = [...title].length;
  return length >= 1 && length <= maxLength && !forbidden.test(title);
}

/** A folder title: in NFC and trimmed, so that equal titles are equal bytes. */
export const folderTitle = z.preprocess(
  asText,
  z
    .string(words)
    .trim()
    // Before normalizing, which takes quadratic time for combining characters.
    .refine((title) => title.length <= maxUnits, { ...words, abort: true })
    .normalize('NFC')
    .trim()
    .refine(fits, words)
    .meta({ minLength: 1, maxLength }),
);
