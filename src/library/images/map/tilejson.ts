import type { MapOwner } from './owner.js';
import type { TileJson } from './schemas.js';
import { maxZoom } from './tile.js';

/** Latitude of the northern edge of web maps. */
const edge = 85.05112878;

/**
 * The TileJSON that tells map libraries where the tiles of a map are. @param tileUrl its base, and
 * a query with a signature.
 */
export function tileJsonOf(
  owner: MapOwner,
  pointsZoom: number,
  tileUrl: { readonly base: string; readonly query: string },
): TileJson {
  const layer = (
    id: string,
    description: string,
    minzoom: number,
    fields: Record<string, string>,
  ) => ({
    id,
    description,
    minzoom,
    maxzoom: maxZoom,
    fields: { ...fields, ...(owner.kind === 'platforms' && { user_id: 'String: whose it is' }) },
  });
  return {
    tilejson: '3.0.0',
    name: 'images',
    tiles: [
      `${tileUrl.base}/api/v1/${owner.kind}/${owner.id}/map/{z}/{x}/{y}.mvt?${tileUrl.query}`,
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
