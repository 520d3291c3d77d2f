import { z } from 'zod';
import { asText, expecting } from '../http/fields.js';

const maxLength = 255;

/** A path such as `/a/b` is made of titles; control characters would garble it, too. */
const forbidden = /[/\p{Cc}\p{Cs}]/u;

const words = expecting(
  `a title of 1 to ${maxLength} characters without "/" and control characters`,
);

function fits(title: string): boolean {
  const length = [...title].length;
  return length >= 1 && length <= maxLength && !forbidden.test(title);
}

/** The title of a folder: in NFC and trimmed, so that equal titles are equal bytes. */
export const folderTitle = z.preprocess(
  asText,
  z.string(words).normalize('NFC').trim().refine(fits, words).meta({ minLength: 1, maxLength }),
);
