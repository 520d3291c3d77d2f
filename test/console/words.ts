import { consoleModule } from './console-module.js';

type Messages = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

type Languages = Readonly<Record<'en' | 'ko', Messages>>;

const { en } = await consoleModule<Languages>('messages/en.ts');
const { ko } = await consoleModule<Languages>('messages/ko.ts');
const link = await consoleModule<Languages>('link/texts.ts');
const check = await consoleModule<Languages>('check/texts.ts');

const prefixed = (prefix: string, messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).map(([key, text]) => [`${prefix}.${key}`, text]));

/** With those of the other pages, such as `link.ended` and `check.good`. */
const all = (messages: Messages, language: 'en' | 'ko'): Messages => ({
  ...messages,
  ...prefixed('link', link[language]),
  ...prefixed('check', check[language]),
});

/**
 * Finds the words of a language by the keys of console/messages, so that tests outlast a change of the
 * words. Without its values, a message stands for the longest text between them: locators find parts.
 */
const wordsIn =
  (language: string, messages: Messages) =>
  (key: string, values?: Values): string => {
    const message = messages[key];
    if (message === undefined) throw new Error(`console/messages has no ${key}.`);
    const [one = '', other = one] = message.split(' || ');
    const form = values?.count === 1 && language === 'en' ? one : other;
    const parts = form.split(/\{(\w+)\}/);
    if (!values)
      return parts.filter((_, n) => n % 2 === 0).sort((a, b) => b.length - a.length)[0] ?? '';
    const put = (name: string): string => {
      const value = values[name];
      if (value === undefined) throw new Error(`${key} needs a value for ${name}.`);
      return typeof value === 'number' ? value.toLocaleString(language) : value;
    };
    return parts.map((part, n) => (n % 2 === 0 ? part : put(part))).join('');
  };

export const msg = wordsIn('en', all(en, 'en'));
export const koMsg = wordsIn('ko', all(ko, 'ko'));
