import type { Random } from '../../../testkit/random.js';

/** A field's value: text for any encoding, bytes that are not text, or literal JSON. */
export type HostileValue = string | Buffer | { readonly json: string };

const prototypeNames = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
  ...['__defineGetter__', 'then', 'length', 'status', 'toJSON'],
];

const characters = [
  ...['\0', 'a\0b', '\u0001\u0002\u001f\u007f', '\r\nX-Evil: 1\r\n\r\n', '\t', '\n', ' ', '  '],
  ...['\u202egnp.exe', '\u200b', '\ufeff', '\ufffe', '\uffff', 'e\u0301', '\u00e9', '\u1e9b\u0323'],
  ...['\u1112\u1161\u11ab', '한글', '𝒳', '👩‍👩‍👧‍👧', 'ﷺ', '\u0130', 'ß', '١٢٣', '９', '\u2028', '\u00ad'],
  ...['a\u0300'.repeat(300), '%', '%00', '%zz', '%25', '%c0%ae', '+', '&a=b', '=', ';', '#', '?'],
  ...[
    "'",
    '"',
    '\\',
    "'; DROP TABLE users; --",
    '_%',
    '\\%',
    '%_%',
    '{}',
    '[]',
    '[',
    '["',
    '${7*7}',
  ],
  ...['../../etc/passwd', '/', '.', '..', '/a/b', 'UNSET', 'root', 'null', 'undefined', 'none', ''],
];

const numbers = [
  ...[
    '0',
    '-0',
    '+1',
    '-1',
    '1.5',
    '.5',
    '5.',
    '1e3',
    '1e309',
    '-1e309',
    '1e-400',
    'NaN',
    'Infinity',
  ],
  ...['-Infinity', '0x10', '0b1', '1_000', '1,5', ' 1', '1 ', '2147483648', '9007199254740993'],
  ...['99999999999999999999', '999999999999999', '-999999999999999', '1e15', '1000000000', '1001'],
  ...['90.0000001', '180', '-180', '-90', '1e-7', '0.00000001', '5e-324', '1.7976931348623157e308'],
];

const dates = [
  ...[
    '20250231',
    '20250229',
    '00000000',
    '99999999',
    '20261301',
    '00010101',
    '99991231',
    '20260101',
  ],
  ...[
    '20260101_240000',
    '20260101_236000',
    '20260101_235960',
    '20260101_000000',
    '00000101_000000',
  ],
  ...[
    '10000101_000000',
    '-0010101',
    '20260101_',
    '2026-01-01',
    '20260101T000000',
    '18871231_235959',
  ],
];

const ids = [
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['{01a20037-78f3-7463-bcce-ffcfacc3e21c}', '01A20037-78F3-7463-BCCE-FFCFACC3E21C', '01a20037'],
  ...['01a2003778f37463bcceffcfacc3e21c', '01a20037-78f3-7463-bcce-ffcfacc3e21c\0'],
];

/** Invalid UTF-8: lone surrogates, overlong forms, invalid bytes. */
const noText = ['eda080', 'edbfbf', 'c080', 'ff', 'fffe', 'f8888080', '61e2', 'f4908080', '80'].map(
  (hex) => Buffer.from(hex, 'hex'),
);

const written = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1',
    '12345678901234567890',
  ],
  ...[
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    '[1,"a"]',
    '["a","b"]',
    '{"a":1}',
    '{"__proto__":{"a":1}}',
  ],
  ...[
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u0000"',
    '{"length":1}',
    '{"toString":1}',
    '[[[[[[1]]]]]]',
  ],
  ...['{"then":1}', '"a"', '""', '" "', '{"constructor":{"prototype":{"x":1}}}'],
].map((json) => ({ json }));

const long = [
  ...[() => 'a'.repeat(256), () => 'a'.repeat(1_001), () => 'a'.repeat(10_001)],
  ...[() => '😀'.repeat(10_000), () => 'a'.repeat(100_000), () => '\u0301'.repeat(50_000)],
  ...[() => `${'['.repeat(50_000)}`, () => '0'.repeat(40_000), () => ','.repeat(100_000)],
  ...[() => `1${'0'.repeat(400)}`, () => '"'.repeat(60_000), () => '-'.repeat(30_000)],
];

const deep: HostileValue[] = [
  { json: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
  { json: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` },
];

/** Values to try in every field. */
export const sweptValues: readonly HostileValue[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\u202e',
    ' ',
    '',
    '-1',
    '1e309',
    'NaN',
    '0x10',
  ],
  ...['99999999999999999999', '20250231', 'x'.repeat(10_001), 'null', Buffer.from('eda080', 'hex')],
  ...['null', '[]', '{}', '["a","b"]', '"\\ud800"', '1e400', 'true'].map((json) => ({ json })),
];

const kinds: readonly (readonly HostileValue[])[] = [
  ...[prototypeNames, characters, numbers, dates, ids, noText, written],
];

/** A random hostile value; rarely a huge one. */
export function hostileValue(random: Random): HostileValue {
  const dice = random.below(40);
  if (dice === 0) return random.of(long)?.() ?? '';
  if (dice === 1) return random.of(deep) ?? '';
  return random.of(random.of(kinds) ?? []) ?? '';
}

/** Names of fields and parameters that no operation has. */
export const hostileName = (random: Random): string =>
  random.of([
    ...prototypeNames,
    'a[]',
    'a[b]',
    '',
    ' ',
    '\0',
    'é',
    'x'.repeat(300),
    '%',
    '"',
    'a\r\nb',
  ]) ?? '';
