import { randomBytes } from 'node:crypto';

// Marks for signed URLs in stored answers, which outlive the URLs. While the JSON is written, a
// mark is an unguessable random word followed by the key of the object; in the stored answer, it is
// the key between two characters that JSON never contains unescaped.

const word = randomBytes(16).toString('hex');
const written = new RegExp(`${word}([A-Za-z0-9._/-]+)`, 'g');

/** The placeholder for the URL of an object. */
export const urlMark = (key: string): string => word + key;

/** Converts JSON with marks to its stored form. */
export const keepMarks = (json: string): string => json.replace(written, '\u0001$1\u0001');

/** Replaces the marks in stored JSON with URLs. */
export const fillMarks = (kept: string, url: (key: string) => string): string =>
  kept.replace(/\u0001([^\u0001]*)\u0001/g, (_, key: string) =>
    JSON.stringify(url(key)).slice(1, -1),
  );
