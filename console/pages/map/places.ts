import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import { addressOf, withinAddress } from './address';
import type { Place } from './view';

/** A place among the addresses of a user's images. */
export interface FoundPlace extends Place {
  readonly address: string;
  readonly within: string;
}

/** Images that are read: many are often of one address. */
const pageSize = 100;
const mostPlaces = 8;

/** Where images are whose address contains a text: each address once, the newest image first. */
export async function findPlaces(
  userId: string,
  search: string,
  signal: AbortSignal,
): Promise<readonly FoundPlace[]> {
  const query = {
    ...({ search_type: 'address', has_delete_at: 'False', page_size: pageSize } as const),
    search,
  };
  const params = { path: { user_id: userId }, query };
  const { items } = await call(
    (client) =>
      client.GET('/api/v1/users/{user_id}/images', { params, signal }) as Promise<
        Answer<components['schemas']['ImageList']>
      >,
  );
  const places = new Map<string, FoundPlace>();
  for (const image of items) {
    const { lat: latitude, lng: longitude } = image;
    if (latitude === null || longitude === null) continue;
    const address = addressOf(image) ?? '';
    const within = withinAddress(image);
    const key = `${address}\n${within}`;
    if (!places.has(key)) places.set(key, { address, within, latitude, longitude });
  }
  return [...places.values()].slice(0, mostPlaces);
}
