import assert from 'node:assert/strict';
import type { Image } from '../../testkit/records.js';
import { tileFeatures } from '../../testkit/vector-tile.js';
import type { Member, World } from '../../testkit/world.js';
import { spread } from './map.js';
import type { Place } from './map.js';

export const seoul: Place = [37.5663, 126.9779];
export const places: readonly Place[] = [seoul, seoul, [37.57, 126.98], [-17, 180], [90, 10]];
export const everywhere = { bbox: '-180,-90,180,90', zoom: 0 };

export type Credential = readonly ['User' | 'Platform', string];

/** Reads the map of a user. @param path below the map. */
export const read = (user: Member, path: string, as: Credential | undefined, headers = {}) =>
  user.tenant.client.raw('GET', `/api/v1/users/${user.id}/map${path}`, { as, headers });

export const own = (user: Member): Credential => ['User', user.token];

export async function featuresOf(response: Response) {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
  return tileFeatures(Buffer.from(await response.arrayBuffer()));
}

/** The URL of a tile as a map library builds it. */
export async function tileUrlOf(
  user: Member,
  owner = `users/${user.id}`,
  filter = '',
): Promise<string> {
  const as: Credential = owner.startsWith('users') ? own(user) : ['Platform', user.tenant.token];
  const path = `/api/v1/${owner}/map/tilejson${filter}`;
  const response = await user.tenant.client.raw('GET', path, { as });
  const json = (await response.json()) as { tilejson: string; tiles: string[] };
  assert.equal(json.tilejson, '3.0.0');
  return (json.tiles[0] ?? '').replaceAll(/\{[zxy]\}/g, '0');
}

export interface Collection {
  readonly type: string;
  readonly features: readonly {
    readonly geometry: { readonly coordinates: readonly [number, number] };
    readonly properties: { readonly count: number; readonly image_id: string };
  }[];
}

export const countIn = (features: Collection['features']): number =>
  features.reduce((sum, { properties }) => sum + properties.count, 0);

/** A user with an image at each of several places. */
export async function photographer(world: World): Promise<{ user: Member; images: Image[] }> {
  const user = await (await world.platform()).user();
  return { user, images: await spread(user, places) };
}
