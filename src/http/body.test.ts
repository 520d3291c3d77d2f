import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../base/errors/catalogue.js';
import { z } from 'zod';
import { decodeUtf8, fieldLimits, KnownFields } from './form-fields.js';
import { jsonFields as fieldsOf } from './body.js';

const known = new KnownFields([
  z.object({ title: z.string(), n: z.number(), ids: z.array(z.string()).optional() }),
]);
const jsonFields = (body: string | Buffer) =>
  fieldsOf(Buffer.from(body as string), { known, limits: fieldLimits }, decodeUtf8);

describe('a JSON body', () => {
  test('gives its fields; an empty one has none', () => {
    assert.deepEqual({ ...jsonFields('{"title": "x", "n": 1, "z": 1}') }, { title: 'x', n: 1 });
    assert.deepEqual({ ...jsonFields('') }, {});
  });

  const refusal = (text: string): string => {
    try {
      jsonFields(text);
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'invalid_field');
      assert.equal(error.field, 'body');
      return error.message;
    }
    return assert.fail(`${text} was read`);
  };

  test('that is malformed is rejected with what was expected, and where', () => {
    assert.match(
      refusal('{\n  "title": "x",\n}'),
      /^body must be a JSON object: Expected .+ at position 18 \(line 3 column 1\)\.$/,
    );
    assert.match(refusal('{"title": "x" "y": 1}'), /Expected ',' .+ \(line 1 column 15\)\.$/);
    assert.match(refusal('{"title": x}'), /Unexpected token 'x', "\{"title": x\}"/);
    assert.match(refusal('{"title": "x'), /Unterminated string .+ \(line 1 column 13\)\.$/);
  });

  test('that is not an object is rejected', () => {
    for (const text of ['[]', '"x"', 'null', '1']) {
      assert.equal(refusal(text), 'body must be a JSON object.');
    }
  });
});
