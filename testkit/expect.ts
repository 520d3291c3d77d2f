import assert from 'node:assert/strict';
import type { Answer } from './client.js';

/** The result of a response that must be a success in the API's envelope. */
export function done<R>(answer: Answer<R>): R {
  assert.equal(answer.status, 200, `${answer.status} ${JSON.stringify(answer.error)}`);
  assert.equal(answer.status_code, 200);
  assert.equal(answer.message, '성공');
  return answer.result;
}

/** Checks the status, the code, and, if given, the field of a rejection. */
export function refused(
  answer: Answer<unknown>,
  status: number,
  code: string | readonly string[],
  field?: string,
): void {
  const codes: readonly string[] = typeof code === 'string' ? [code] : code;
  const got = `${answer.status} ${JSON.stringify(answer.error ?? answer.result)}`;
  assert.equal(answer.status, status, `${status} ${codes.join('/')} expected: ${got}`);
  assert.equal(answer.status_code, status);
  assert.equal(answer.result, null);
  assert.ok(codes.includes(answer.error?.code ?? ''), `${codes.join(' or ')} expected: ${got}`);
  assert.equal(answer.message, answer.error?.message);
  if (field !== undefined) assert.equal(answer.error?.field, field, got);
}

/** Status, code, and field of an error: what tests compare. */
export const refusal = ({ status, error }: Answer<unknown>) => [status, error?.code, error?.field];

/** Fails unless the record has at least these fields. */
export function hasFields(record: object, fields: readonly string[]): void {
  const missing = fields.filter((name) => !(name in record));
  assert.deepEqual(missing, [], `missing from ${Object.keys(record).join(', ')}`);
}

export const timePattern = /^\d{8}_\d{6}$/;
export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Bytes as represented in the API. */
export const megabytes = (bytes: number): number => Math.round((bytes / 1048576) * 1e6) / 1e6;

/** Sums of megabytes accumulate rounding errors. */
export function near(actual: number | null | undefined, expected: number, tolerance = 2e-6): void {
  const close = typeof actual === 'number' && Math.abs(actual - expected) <= tolerance;
  assert.ok(close, `${actual} is not ${expected} ± ${tolerance}`);
}

/** A well-formed id that does not exist. */
export const nobody = '01900000-0000-7000-8000-000000000000';
