import { signal } from '@preact/signals';
import { en } from '../messages/en';
import type { Messages } from '../messages/en';
import { ko } from '../messages/ko';
import { remembered, remember } from './remembered';

export type MessageKey = keyof typeof en;

export const languages = { en: 'English', ko: '한국어' } as const;
export type Language = keyof typeof languages;

const messages: Readonly<Record<Language, Messages>> = { en, ko };

const isLanguage = (word: string | null): word is Language => word !== null && word in languages;

function firstLanguage(): Language {
  const chosen = remembered('language');
  if (isLanguage(chosen)) return chosen;
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return known ?? 'en';
}

/** The reader's language. Components that show text are redrawn when it changes. */
export const language = signal<Language>(firstLanguage());

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  remember('language', chosen);
}

/** The names in braces of a message. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Messages without values. */
export type PlainKey = {
  [K in MessageKey]: NamesIn<(typeof en)[K]> extends never ? K : never;
}[MessageKey];

type Values<K extends MessageKey> = Readonly<Record<NamesIn<(typeof en)[K]>, string | number>>;
type Arguments<K extends MessageKey> = NamesIn<(typeof en)[K]> extends never ? [] : [Values<K>];

/**
 * A message in the reader's language, with values for its names in braces. A message with two forms,
 * `{count} user || {count} users`, is chosen by `count`.
 */
export function t<K extends MessageKey>(key: K, ...[values]: Arguments<K>): string {
  const found: Readonly<Record<string, string | number>> = values ?? {};
  const [one = '', other = one] = messages[language.value][key].split(' || ');
  const form = plural(language.value, found.count) === 'one' ? one : other;
  return form.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = found[name] ?? '';
    return typeof value === 'number' ? number(value) : value;
  });
}

const plural = (of: Language, count: string | number | undefined): Intl.LDMLPluralRule =>
  new Intl.PluralRules(of).select(typeof count === 'number' ? count : 2);

/** A number in the format of the reader's language. */
export const number = (value: number, most = 0): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: most }).format(value);
