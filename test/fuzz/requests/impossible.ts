import type { DocumentedOperation, Field } from '../harness/document.js';
import type { Draft } from './compose.js';
import type { Pair } from './encodings.js';

/** Values of three-valued fields that the document does not list for all of them; '' is omitted. */
const tolerated = ['', 'true', 'false', 'none', 'null'];

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Whether the document excludes this value for a field. */
function isImpossible({ schema }: Field, value: Pair[1]): boolean {
  if (typeof value !== 'string' || tolerated.includes(value.toLowerCase())) return false;
  if (schema.enum) {
    return !schema.enum.some((word) => word.toLowerCase() === value.toLowerCase());
  }
  if (schema.pattern) return !new RegExp(schema.pattern).test(value);
  const numeric = schema.type === 'number' || schema.type === 'integer';
  return numeric && !number.test(value.trim());
}

/** A value in the draft that must not be accepted, as `field=value`; undefined if there is none. */
export function impossibility(
  operation: DocumentedOperation,
  { query, body }: Draft,
): string | undefined {
  const pairs = [...query, ...body];
  const wrong = [...operation.query, ...operation.body].flatMap((field) => {
    const given = pairs.filter(([name]) => name === field.name);
    const [only] = given;
    // A field given twice is invalid for another reason, or its other value is used.
    return given.length === 1 && only && isImpossible(field, only[1]) ? [only] : [];
  });
  const [first] = wrong;
  return first && `${first[0]}=${JSON.stringify(first[1]).slice(0, 60)}`;
}
