import { asJson } from './connection.js';
import type { Connection } from './connection.js';
import type { operations } from './schema.js';

type Answer = operations['checkImages']['responses'][200]['content']['application/json'];

/** The hashes of files that the user has, and of those that are missing. */
export type Presence = Answer['result'];

/** The most hashes that the server accepts in a request. */
const batchSize = 5_000;

/** Checks any number of hashes, 5,000 at a time. @throws as uploads do. */
export async function check(
  connection: Connection,
  user_id: string,
  hashes: Iterable<string>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Presence> {
  const asked = [...new Set(Array.from(hashes, (hash) => hash.toLowerCase()))];
  const found: Presence = { present: [], missing: [] };
  for (let start = 0; start < asked.length; start += batchSize) {
    const body = { hashes: asked.slice(start, start + batchSize) };
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
