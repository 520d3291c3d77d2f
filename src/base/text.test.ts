import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, printableLines } from './text.js';

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
