import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import {
  clearable,
  decimal,
  flag,
  idList,
  integer,
  oneOf,
  text,
  triState,
  parseFolderTarget,
  validate,
} from './request-fields.js';

const read = (field: z.ZodType, raw: unknown): unknown =>
  validate(z.object({ field }), { field: raw }).field;

const refuse = (field: z.ZodType, raws: readonly unknown[], what: string): void => {
  for (const raw of raws) {
    const refusal = { code: 'invalid_field', field: 'field', message: `field must be ${what}.` };
    assert.throws(() => read(field, raw), refusal, JSON.stringify(raw));
  }
};

describe('a request field', () => {
  test('that is absent is missing, unless it is optional', () => {
    const refusal = { code: 'missing_field', field: 'field' };
    for (const field of [text(1, 5), flag, idList, oneOf(['a'])]) {
      assert.throws(() => read(field, undefined), refusal);
      assert.equal(read(field.optional(), undefined), undefined);
    }
    assert.equal(read(integer(1, 9).default(7), undefined), 7);
  });

  test('of text counts characters, not their units', () => {
    assert.equal(read(text(1, 2), '😀😀'), '😀😀');
    assert.equal(read(text(1, 2), 42), '42');
    refuse(
      text(1, 2),
      ['', '😀😀😀', 'a\0', '\ud800', null, true, {}],
      'text of 1 to 2 characters',
    );
  });

  test('that is given several times is refused, except for lists', () => {
    for (const field of [text(1, 9), flag, integer(0, 9), oneOf(['a'])]) {
      refuse(field, [['a', 'b'], []], 'given only once');
    }
    assert.deepEqual(read(idList, ['A', 'b,c']), ['a', 'b', 'c']);
    assert.deepEqual(read(idList, '["A", "b"]'), ['a', 'b']);
    refuse(idList, ['["a"', [['a']], [null], {}], 'a list of ids');
  });

  test('with a word reads it in any case', () => {
    assert.deepEqual(
      ['True', 'fALSE', 'None', 'null', false].map((raw) => read(triState, raw)),
      [true, false, null, null, false],
    );
    refuse(triState, ['', 'yes', 1, {}], 'True, False, or None');
    refuse(flag, ['none', null, 0], 'True or False');
  });

  test('with a number reads it from text', () => {
    assert.equal(read(integer(0, 60), '+007'), 7);
    refuse(
      integer(0, 60),
      ['', '61', '-1', '1.0', '1e1', ' 1', 1.5],
      'a whole number from 0 to 60',
    );
    assert.equal(read(decimal(-90, 90), ' -.5e1 '), -5);
    refuse(decimal(-90, 90), ['', '90.1', '0x1', 'NaN', '1_0'], 'a number from -90 to 90');
  });

  test('that may be cleared is null when it is empty', () => {
    for (const raw of ['', null]) assert.equal(read(clearable(text(1, 5)), raw), null);
    refuse(clearable(text(1, 2)), ['abc'], 'text of 1 to 2 characters');
  });
});

test('a blank means the top level, an id means a folder, and anything else means no move', () => {
  for (const blank of [' ', '   ', '+', '%20']) assert.equal(parseFolderTarget(blank), null);
  for (const silent of [undefined, '', 'UNSET', 'none', 'NULL'])
    assert.equal(parseFolderTarget(silent), undefined);
  assert.equal(parseFolderTarget('ABC'), 'abc');
  assert.equal(parseFolderTarget(null), null);
});
