import type { RawJson } from '../src/paging/raw-json.js';

/** What JSON text of the service says. */
export const parsed = <Item>({ bytes }: RawJson<Item>): Item[] =>
  JSON.parse(bytes.toString()) as Item[];
