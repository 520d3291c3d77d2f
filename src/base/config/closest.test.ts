import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closest, didYouMean } from '../text.js';
import { optionKeys } from './options.js';

test('a mistyped word is recognized: a letter too many, too few, wrong, or swapped', () => {
  for (const [typed, meant] of [
    ['prot', 'port'],
    ['hots', 'host'],
    ['databse.url', 'database.url'],
    ['s3.endpoints', 's3.endpoint'],
    ['Log.Level', 'log.level'],
    ['max_upload_mb', 'limits.max_upload_mb'],
    ['limits.max_uplaod', 'limits.max_upload_mb'],
  ] as const) {
    assert.equal(closest(typed, optionKeys), meant, typed);
  }
});

test('a word unlike any known one gets no suggestion', () => {
  for (const typed of ['x', '', 'elephant', 'constructor', 'redis.url']) {
    assert.equal(closest(typed, optionKeys), undefined, typed);
    assert.equal(didYouMean(typed, optionKeys), '');
  }
});
