import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadName, uploadName } from './download-name';
import { EntryNames, safeName } from './entry-names';
import type { Image } from './listing';

const image = (record: Partial<Image>): Image => record as Image;

test('a name in an archive is one that every system can store', () => {
  const names = [
    'a<b>:c.jpg',
    'Roof/7.jpg',
    'dots. . .',
    'CON',
    'com1.jpg',
    'contra.jpg',
    '...',
    '지붕.jpg',
  ];
  assert.deepEqual(names.map(safeName), [
    'a_b__c.jpg',
    'Roof_7.jpg',
    'dots',
    '_CON',
    '_com1.jpg',
    'contra.jpg',
    '_',
    '지붕.jpg',
  ]);
});

test('entries of an archive have names of their own, whatever their case', () => {
  const names = new EntryNames();
  const given = ['a/site.png', 'a/SITE.png', 'b/site.png', 'a/site.png', 'a.b/none', 'a.b/none'];
  assert.deepEqual(
    given.map((name) => names.give(name)),
    ['a/site.png', 'a/SITE (2).png', 'b/site.png', 'a/site (3).png', 'a.b/none', 'a.b/none (2)'],
  );
});

test('a file of another version is named by the image, with the extension of its own format', () => {
  const one = image({ id: 'id', filename: 'user_hash_2.jpg', original_name: null });
  assert.equal(downloadName(one, 2, '/files/x/hash_2.png?sig=a.b'), 'user_hash_2.png');
  assert.equal(downloadName(one, 0, '/files/x/upload.heic'), 'user_id_0.heic');
  assert.equal(uploadName({ ...one, org_path_url: '/files/u.tiff' }), 'user_id_0.tiff');
  assert.equal(uploadName({ ...one, original_name: 'site.HEIC' }), 'site.HEIC');
});
