import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { create, type Font } from 'fontkit';
import { packageFile } from '../../../base/installed-files.js';
import { Lettering } from './lettering.js';

const path = packageFile('dist/bundle/NotoSansKR-Regular.ttf');
const lettering = new Lettering(create(readFileSync(path)) as Font);
const [size, width] = [10, 100];

const broken = (text: string, most = 10): string[] => lettering.lines(text, width, size, most);

test('lines break between words, and within those that are too long', () => {
  const texts = [
    '서울특별시 강남구 테헤란로 123',
    'w'.repeat(40),
    `a ${'가'.repeat(30)} b`,
    '  a  ',
  ];
  for (const text of texts) {
    const lines = broken(text);
    for (const line of lines) {
      assert.ok(lettering.width(line, size) <= width, line);
      assert.equal(line, line.trim());
    }
    const joined = (pieces: readonly string[]) => pieces.join('').replaceAll(' ', '');
    assert.equal(joined(lines), joined([text]));
  }
  assert.deepEqual(broken('one\n\n two \r\nthree'), ['one', 'two', 'three']);
  assert.deepEqual(broken(''), []);
});

test('what is too much ends in an ellipsis that fits', () => {
  for (const text of ['가나다 '.repeat(3000), 'x'.repeat(400), 'a\n'.repeat(50)]) {
    const lines = broken(text, 2);
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /…$/);
    assert.ok(lettering.width(lines[1] ?? '', size) <= width);
  }
});

test('what the font lacks is replaced, what is not seen goes', () => {
  assert.equal(lettering.settable('👨‍👩‍👧 ok ☎️'), '□ ok ☎');
  assert.equal(lettering.settable('\u202eשל\u202c\u0000\ud800'), '□□');
  assert.equal(lettering.settable('가 漢字 é'), '가 漢字 é');
});
