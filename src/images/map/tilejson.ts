import type { MapOwner } from './owner.js';
import type { TileJson } from './schemas.js';
import { maxZoom } from './tile.js';

/** Where tiles of web maps end. */
const edge = 85.05112878;

/** How a map library finds the tiles of a map. @param base of URLs. @param query with a signature. */
export function tileJsonOf(
  owner: MapOwner,
  pointsZoom: number,
  address: { readonly base: string; readonly query: string },
): TileJson {
  const layer = (
    id: string,
    description: string,
    minzoom: number,
    fields: Record<string, string>,
  ) => ({
    ...{ id, description, minzoom, maxzoom: maxZoom },
    fields: { ...fields, ...(owner.kind === 'platforms' && { user_id: 'String: whose it is' }) },
  });
  return {
    tilejson: '3.0.0',
    name: 'images',
    tiles: [
      `${address.base}/api/v1/${owner.kind}/${owner.id}/map/{z}/{x}/{y}.mvt?${address.query}`,
    ],
    vector_layers: [
      layer('clusters', 'Images that are near each other', 0, {
        count: 'Number: how many they are',
        image_id: 'String: the newest of them',
        latest_created_at: 'Number: when that was made, YYYYMMDD',
      }),
      layer('images', 'Single images', pointsZoom, {
        image_id: 'String',
        folder_id: 'String: none at the top level',
        created_at: 'String: YYYYMMDD_HHMMSS',
        has_det: 'Boolean: none if not entered',
      }),
    ],
    scheme: 'xyz',
    minzoom: 0,
    maxzoom: maxZoom,
    bounds: [-180, -edge, 180, edge],
  };
}
