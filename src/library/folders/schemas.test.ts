import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderTitle } from './schemas.js';

/** The title parsed from a value; undefined if it is invalid. */
const read = (raw: unknown): string | undefined => folderTitle.safeParse(raw).data;

test('titles are trimmed and normalized to NFC', () => {
  assert.equal(read('  a b\u00a0\n'), 'a b');
  assert.equal(read('여행'.normalize('NFD')), '여행');
  assert.equal(read(2025), '2025');
});

test('a title has 1 to 255 characters, however many code units each takes', () => {
  assert.equal(read('😀'.repeat(255)), '😀'.repeat(255));
  assert.equal(read(` ${'가'.repeat(255)} `), '가'.repeat(255));
  for (const raw of ['', ' \t ', '가'.repeat(256), '😀'.repeat(256)]) {
    assert.equal(read(raw), undefined);
  }
});

test('a title contains no slash, control character, or lone surrogate', () => {
  for (const raw of ['a/b', '/', 'a\0b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\ud800', 'a\udc00b']) {
    assert.equal(read(raw), undefined, JSON.stringify(raw));
  }
});

test('a title must be text', () => {
  for (const raw of [null, true, ['a', 'b'], {}]) assert.equal(read(raw), undefined);
});
