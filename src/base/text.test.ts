import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionKeys } from './config/options.js';
import { printable, printableLines, closest, didYouMean } from './text.js';

test('nothing that steers a terminal is left, and everything else is', () => {
  const name = 'a\x1b[2J\x9b2J\x7f\u202egpj.\u2066\u2028\n\t제주 🇰🇷 ✓';
  assert.equal(
    printable(name),
    'a\\u001b[2J\\u009b2J\\u007f\\u202egpj.\\u2066\\u2028\\n\\t제주 🇰🇷 ✓',
  );
  assert.equal(printableLines('one\n\ttwo\r\n\x07'), 'one\n\ttwo\\r\n\\u0007');
});

test('a JSON document stays the same document', () => {
  const document = { path: 'a\x9b\u202e"\n\x1b', more: ['\x7f'] };
  const text = printableLines(JSON.stringify(document, null, 2));
  assert.doesNotMatch(text, /[\p{Bidi_Control}\x7f-\x9f]/u);
  assert.deepEqual(JSON.parse(text), document);
});

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
