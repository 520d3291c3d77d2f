import type { RawJson } from '../src/http/paging/batches.js';

/** The items in a JSON array of the service. */
export const parsed = <Item>({ bytes }: RawJson<Item>): Item[] =>
  JSON.parse(bytes.toString()) as Item[];
