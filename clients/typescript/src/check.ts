import { asJson } from './connection.js';
import type { Connection } from './connection.js';
import type { operations } from './schema.js';

type Answer = operations['checkImages']['responses'][200]['content']['application/json'];

/** Which files the user has, and which not. */
export type Presence = Answer['result'];

/** Hashes that the server takes at a time. */
const atOnce = 5_000;

/** Asks for any number of hashes, 5,000 at a time. @throws as uploads do. */
export async function check(
  connection: Connection,
  user_id: string,
  hashes: Iterable<string>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Presence> {
  const asked = [...new Set(Array.from(hashes, (hash) => hash.toLowerCase()))];
  const found: Presence = { present: [], missing: [] };
  for (let start = 0; start < asked.length; start += atOnce) {
    const body = { hashes: asked.slice(start, start + atOnce) };
    const how = { params: { path: { user_id } }, body, bodySerializer: asJson };
    const { present, missing } = await connection.result({
      send: (until) =>
        connection.client.POST('/api/v1/users/{user_id}/images/check', { ...how, signal: until }),
      signal,
    });
    found.present.push(...present);
    found.missing.push(...missing);
  }
  return found;
}
