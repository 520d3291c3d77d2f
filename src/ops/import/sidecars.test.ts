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
