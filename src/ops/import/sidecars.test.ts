import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TakeoutNames } from './sidecars.js';

for (const [picture, sidecar] of [
  ['IMG_1.jpg', 'IMG_1.jpg.json'],
  ['IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
  ['IMG_1.jpg', 'IMG_1.jpg.supplemental-meta.json'],
  ['IMG_1(2).jpg', 'IMG_1.jpg(2).json'],
  ['IMG_1(2).jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
  ['IMG_1(2).jpg', 'IMG_1(2).jpg.json'],
  ['IMG_1(2).jpg', 'IMG_1.jpg(2).supplemental-metadata.json'],
  ['IMG_1-edited.jpg', 'IMG_1.jpg.json'],
  ['IMG_1-수정됨.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
  [`${'x'.repeat(47)}.jpg`, `${'x'.repeat(46)}.json`],
  ['IMG_1.jpg', 'img_1.JPG.json'],
  ['IMG_1.jpg', 'IMG_1.jpg..json'],
  ['IMG_7.jpg', 'IMG_7.json'],
  ['IMG_7(2).jpg', 'IMG_7(2).json'],
  ['IMG_1-edited(2).jpg', 'IMG_1.jpg(2).json'],
  ['IMG_1(2)-edited.jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
  ['IMG_1-edited.jpg', 'IMG_1.HEIC.supplemental-metadata.json'],
  ['e\u0301te\u0301.jpg', '\u00e9t\u00e9.jpg.json'],
  ['\u00e9t\u00e9.jpg', 'e\u0301te\u0301.jpg.supplemental-metadata.json'],
  // Cut after 46 bytes, within a character or not, whose rest was replaced, dropped, or decomposed.
  [`${'한'.repeat(30)}.jpg`, `${'한'.repeat(15)}\ufffd.json`],
  [`${'한'.repeat(30)}.jpg`, `${'한'.repeat(15)}.json`],
  [`${'한'.repeat(30)}.jpg`, `${'한'.repeat(15).normalize('NFD')}.json`],
  [`${'한'.repeat(30)}.jpg`, `${'한'.normalize('NFD').repeat(5)}.json`],
  [`${'한'.repeat(30).normalize('NFD')}.jpg`, `${'한'.repeat(15)}.json`],
  [`${'한'.repeat(30)}(1).jpg`, `${'한'.repeat(15)}(1).json`],
  [`${'한'.repeat(30)}-edited.jpg`, `${'한'.repeat(15)}.json`],
  [`${'📷'.repeat(20)}.jpg`, `${'📷'.repeat(11)}\ufffd.json`],
  [
    'PXL_20240301_101112131.PORTRAIT-01.COVER.jpg',
    'PXL_20240301_101112131.PORTRAIT-01.COVER.jpg.s.json',
  ],
] as const) {
  test(`${picture} is described by ${sidecar}`, () => {
    const other = ['IMG_9.jpg.json', 'IMG_1.json', 'metadata.json', '(1).json'];
    assert.equal(new TakeoutNames([...other, sidecar]).of(picture), sidecar);
  });
}

test('files of other pictures are ignored', () => {
  const names = new TakeoutNames(['IMG_1.jpg.json', 'IMG_1.jpg(3).json', 'IMG_10.jpg.json']);
  for (const picture of ['IMG.jpg', 'IMG_1.png', 'IMG_1(2).jpg', 'IMG_2.jpg']) {
    assert.equal(names.of(picture), undefined, picture);
  }
});

test('what is left of two names describes neither, but a picture and its edited copy', () => {
  const [one, two] = ['one', 'two'].map((end) => `${'한'.repeat(20)} ${end}.jpg`) as [
    string,
    string,
  ];
  const cut = `${'한'.repeat(15)}.json`;
  const both = new TakeoutNames([one, two, cut]);
  assert.deepEqual([both.of(one), both.of(two)], [undefined, undefined]);
  const copy = one.replace('.jpg', '-edited.jpg');
  const related = new TakeoutNames([one, copy, cut]);
  assert.deepEqual([related.of(one), related.of(copy)], [cut, cut]);
});

test('a short name is whole, not what is left of a longer one', () => {
  const names = new TakeoutNames([`${'한'.repeat(14)}.json`, `${'x'.repeat(42)}.json`]);
  for (const picture of [`${'한'.repeat(15)}.jpg`, `${'x'.repeat(43)}.jpg`]) {
    assert.equal(names.of(picture), undefined, picture);
  }
});
