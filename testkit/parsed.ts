import type { RawJson } from '../src/http/paging/batches.js';

/** The items in a JSON array of the service. */
export function parsed<T>({ text }: RawJson<T>): T {
  if (!Buffer.isBuffer(text)) throw new Error('the text comes in chunks');
  return JSON.parse(text.toString()) as T;
}
