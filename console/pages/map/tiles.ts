import type { Session } from '../../core/session';
import type { MapView, SourceSpecification } from '../../parts/map/engine';
import type { Found } from './bubbles';
import { mapQuery } from './filters';
import type { Filters } from './filters';

const source = 'images';
/** The layers of the tiles (docs/api-extensions.md). */
const layers = ['clusters', 'images'] as const;

/** The map of the token's user, or of all users of its platform. */
function tilesUrl({ userId, platformId }: Session, filters: Filters): string {
  const owner = userId === undefined ? `platforms/${platformId}` : `users/${userId}`;
  const query = new URLSearchParams(mapQuery(filters)).toString();
  return `${location.origin}/api/v1/${owner}/map/{z}/{x}/{y}.mvt${query && `?${query}`}`;
}

/**
 * Makes a map load the tiles of what filters leave without drawing them: see use-bubbles.ts. Each
 * choice has a source of its own: otherwise, foundIn would count tiles of the former one until those of
 * the new one have been loaded.
 */
export function showTiles(map: MapView, session: Session, filters: Filters): void {
  if (map.getSource(source)) {
    for (const layer of layers) map.removeLayer(layer);
    map.removeSource(source);
  }
  const tiles: SourceSpecification = {
    type: 'vector',
    tiles: [tilesUrl(session, filters)],
    minzoom: 0,
    maxzoom: 22,
  };
  map.addSource(source, tiles);
  for (const layer of layers) {
    // Tiles without a layer are not loaded.
    const paint = { 'circle-radius': 0, 'circle-opacity': 0 };
    map.addLayer({ id: layer, type: 'circle', source, 'source-layer': layer, paint });
  }
}

/** The contents of the loaded tiles. */
export function foundIn(map: MapView): Found[] {
  const size = 512 * 2 ** map.getZoom();
  return layers.flatMap((sourceLayer) =>
    map.querySourceFeatures(source, { sourceLayer }).flatMap(({ geometry, properties }) => {
      if (geometry.type !== 'Point') return [];
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      const up = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
      const imageId = String(properties.image_id);
      const count = sourceLayer === 'images' ? 1 : Number(properties.count);
      return {
        imageId,
        imageIds: count === 1 ? [imageId] : [],
        userId: properties.user_id === undefined ? undefined : String(properties.user_id),
        count,
        newest: Number(String(properties.latest_created_at ?? properties.created_at).slice(0, 8)),
        longitude,
        latitude,
        x: ((longitude + 180) / 360) * size,
        y: ((1 - up) / 2) * size,
      };
    }),
  );
}
