import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName, fittingName, originalName, withExtension } from './original-name.js';

for (const [what, given, name] of [
  ['a name', 'IMG_1234.JPG', 'IMG_1234.JPG'],
  ['Korean, composed', '한강 다리.jpg'.normalize('NFD'), '한강 다리.jpg'],
  ['a path of Unix', '/home/me/DCIM/a.jpg', 'a.jpg'],
  ['a path of Windows', 'C:\\Users\\me\\a.jpg', 'a.jpg'],
  ['a path that ends in a separator', 'DCIM/', null],
  ['a way up', '../..', null],
  ['dots in a name', '..a..jpg', '..a..jpg'],
  ['control characters', 'a\0b\nc\u007f\u0085.jpg', 'abc.jpg'],
  ['marks that reverse text', 'photo\u202egpj.exe\u2066\u200f', 'photogpj.exe'],
  ['line separators and a byte order mark', '\ufeffa\u2028b\u2029.jpg', 'ab.jpg'],
  ['a lone surrogate', 'a\ud800.jpg', 'a\ufffd.jpg'],
  ['a family, which joiners hold together', '👩‍👩‍👧.jpg', '👩‍👩‍👧.jpg'],
  ['blanks around it', '  a b.jpg \t', 'a b.jpg'],
  ['blanks alone', ' \u3000 ', null],
  ['nothing', '', null],
  ['none', undefined, null],
  ['a name whose dots were all', '\u200e.\u200e.', null],
] as const) {
  test(`${what}: ${JSON.stringify(given)}`, () => assert.equal(originalName(given), name));
}

test('at most 255 characters, with the extension, and no half of one', () => {
  const cut = originalName(`${'가'.repeat(300)}.jpeg`) ?? '';
  assert.equal(cut, `${'가'.repeat(250)}.jpeg`);
  const pairs = originalName(`${'𝄞'.repeat(300)}.jpg`) ?? '';
  assert.ok(pairs.isWellFormed());
  assert.equal([...pairs].length, 255);
  assert.ok(pairs.endsWith('𝄞.jpg'));
  assert.equal(originalName('x'.repeat(255)), 'x'.repeat(255));
  assert.equal(originalName('x'.repeat(256)), 'x'.repeat(255));
  // What follows the last dot is no extension if it is that long.
  assert.equal(originalName(`a.${'x'.repeat(400)}`), `a.${'x'.repeat(253)}`);
  assert.equal(originalName(`${'x'.repeat(250)}   ${'y'.repeat(9)}.jpg`)?.length, 254);
});

test('a file name has at most 255 bytes, cut at a character, with its extension', () => {
  const long = fittingName(`${'가'.repeat(251)}.jpg`);
  assert.equal(long, `${'가'.repeat(83)}.jpg`);
  assert.equal(fittingName(`${'가'.repeat(251)}.jpg`, ' (2)'), `${'가'.repeat(82)} (2).jpg`);
  assert.equal(fittingName('𝄞'.repeat(255)), '𝄞'.repeat(63));
  assert.equal(fittingName(`${'x'.repeat(251)}.jpg`), `${'x'.repeat(251)}.jpg`);
  assert.equal(fittingName(`${'x'.repeat(250)} y.jpg`), `${'x'.repeat(250)}.jpg`);
  assert.equal(fittingName('a.jpg', ' (2)'), 'a (2).jpg');
  assert.equal(fittingName('no extension', ' (2)'), 'no extension (2)');
});

test('a cleaned name stays as it is', () => {
  for (const given of ['a/b\u202e.jpg', `${'가'.repeat(300)}.jpeg`, ' .a. ', 'x'.repeat(400)]) {
    const once = originalName(given);
    assert.equal(originalName(once), once);
  }
});

test('the name of a file suits every system', () => {
  assert.equal(fileName('a:b*c?"<d>|.jpg'), 'a_b_c__' + '_d__.jpg');
  assert.equal(fileName('NUL.jpg'), '_NUL.jpg');
  assert.equal(fileName('com1'), '_com1');
  assert.equal(fileName('nulls.jpg'), 'nulls.jpg');
  assert.equal(fileName('end. .'), 'end');
  assert.equal(fileName('사진.jpg'), '사진.jpg');
  assert.equal(fileName('???'), '___');
});

test('the extension is that of the format', () => {
  assert.equal(withExtension('IMG_1.HEIC', 'jpg'), 'IMG_1.jpg');
  assert.equal(withExtension('no extension', 'png'), 'no extension.png');
  assert.equal(withExtension('.hidden', 'png'), '.hidden.png');
  assert.equal(withExtension('2024.05.06', 'jpg'), '2024.05.jpg');
});
