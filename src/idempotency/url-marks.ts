import { randomBytes } from 'node:crypto';

// Where a signed URL goes in a kept answer, which outlives it. Within the JSON in the making, the key
// of the object stands behind a word that nobody outside can know; in what is kept, between two
// characters that JSON never contains unescaped.

const word = randomBytes(16).toString('hex');
const written = new RegExp(`${word}([A-Za-z0-9._/-]+)`, 'g');

/** Takes the place of the URL of an object. */
export const urlMark = (key: string): string => word + key;

/** JSON with marks as it is kept. */
export const keepMarks = (json: string): string => json.replace(written, '\u0001$1\u0001');

/** Kept JSON with URLs. */
export const fillMarks = (kept: string, url: (key: string) => string): string =>
  kept.replace(/\u0001([^\u0001]*)\u0001/g, (_, key: string) =>
    JSON.stringify(url(key)).slice(1, -1),
  );
