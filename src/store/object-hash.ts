import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ObjectStore } from './port.js';

/** The SHA-256 of an object in hexadecimal; undefined if there is none. */
export async function hashOf(
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<string | undefined> {
  const body = await store.get(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of body.stream as Readable & AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
