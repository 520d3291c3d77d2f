import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as link from '../link/texts';
import { en } from './en';
import { ko } from './ko';

type Messages = Readonly<Record<string, string>>;

const namesIn = (form: string): string[] =>
  [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();

for (const [where, english, korean] of [
  ['the console', en, ko],
  ['the page of a link', link.en, link.ko],
] as [string, Messages, Messages][]) {
  test(`every message of ${where} is in both languages, with the same values`, () => {
    assert.deepEqual(Object.keys(korean), Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      const forms = text.split(' || ');
      assert.ok(forms.length <= 2, key);
      // The form for one may say "a" for its count.
      const names = namesIn(forms.at(-1) ?? '');
      const other = korean[key] ?? '';
      for (const form of other.split(' || ')) {
        assert.deepEqual(namesIn(form), names, key);
        assert.notEqual(form.trim(), '', key);
      }
      for (const form of forms) assert.notEqual(form.trim(), '', key);
      if (forms.length === 2) assert.ok(names.includes('count'), key);
    }
  });
}

test('Korean is written in Korean: only names and units have no Hangul', () => {
  const foreign = Object.entries(ko).filter(([, text]) => !/[가-힣]/.test(text));
  const same = foreign.filter(([key, text]) => text === (en as Messages)[key]);
  assert.deepEqual(
    same.filter(([, text]) => /[a-z]{4}/.test(text.replaceAll(/\{\w+\}/g, ''))),
    [],
  );
});
