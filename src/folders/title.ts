import { z } from 'zod';
import { asText, expecting } from '../http/request-fields.js';

const maxLength = 255;

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
  z.string(words).normalize('NFC').trim().refine(fits, words).meta({ minLength: 1, maxLength }),
);
