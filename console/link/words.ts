// What the page of a link says, in the first of its languages that its reader prefers.
import { en, ko } from './texts';
import type { Words } from './texts';

const known: Readonly<Record<string, Words>> = { en, ko };

export const language =
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in known) ?? 'en';

export const words: Words = known[language] ?? en;

/** A sentence with values for its names in braces. */
export const say = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => values[name] ?? '');

/** The day and minute of a time of the API, as the reader writes it. */
export function dateText(stamp: string): string {
  const [, year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)/.exec(stamp)?.map(Number) ?? [];
  const time = new Date(year ?? 0, (month ?? 1) - 1, day, hour, minute);
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    time,
  );
}
