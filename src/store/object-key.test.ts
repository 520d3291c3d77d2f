import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endsSoon } from '../../testkit/eventually.js';
import { assertPrefix, isKey } from './object-key.js';

it('keys consist of plain segments', () => {
  for (const key of ['a', 'a/b.jpg', '.a/..b/c..', 'A-_.9', 'a'.repeat(255)]) {
    assert.ok(isKey(key), key);
  }
  const tooLong = ['a'.repeat(256), Array.from({ length: 205 }, () => 'abcd').join('/') + '/a'];
  const malformed = ['', '/', '/a', 'a/', 'a//b', '.', '..', './a', 'a/..', 'a/./b', 'a b', 'a\n'];
  for (const key of [...malformed, ...tooLong, '~copies', 'é', 'a\\b', 'a%2Fb']) {
    assert.ok(!isKey(key), key);
  }
});

it('a hostile key is rejected at once', () => {
  assert.ok(!endsSoon(() => isKey(`${'a/'.repeat(500)}!`)));
});

it('prefixes are the beginning of a key, or empty', () => {
  for (const prefix of ['', 'a', 'a/', 'a/b.']) assertPrefix(prefix);
  for (const prefix of ['/', '../', 'a//', 'a/../', '*']) {
    assert.throws(() => assertPrefix(prefix), TypeError, prefix);
  }
});
