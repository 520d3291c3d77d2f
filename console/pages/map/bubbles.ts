import type { Session } from '../../core/session';
import type { MapView, SourceSpecification } from '../../parts/map/engine';
import type { View } from '../library/view';
import { mapQuery } from './clusters';

/** What tiles contain about a place: one image, or the newest of several. */
export interface Found {
  readonly imageId: string;
  /** The images that are known one by one: not those that tiles only count. */
  readonly imageIds: readonly string[];
  /** The owner of the image, on the map of a platform. */
  readonly userId: string | undefined;
  readonly count: number;
  /** YYYYMMDD. */
  readonly newest: number;
  readonly longitude: number;
  readonly latitude: number;
  /** Pixels on the whole map at this zoom, which do not change when the map is moved. */
  readonly x: number;
  readonly y: number;
}

/** Minimum distance between bubbles, in pixels. */
const apart = 52;

interface Growing {
  readonly first: Found;
  readonly imageIds: string[];
  count: number;
  newest: number;
}

/**
 * As many bubbles as fit, the largest first. Images too close to a bubble are counted in it, so the
 * counts add up to all that was found.
 */
export function bubblesOf(found: readonly Found[]): Found[] {
  const bubbles: Growing[] = [];
  const cells = new Map<string, Growing[]>();
  const cellOf = (value: number): number => Math.floor(value / apart);
  const sorted = found.toSorted((a, b) => b.count - a.count || (a.imageId < b.imageId ? -1 : 1));
  for (const each of sorted) {
    const [column, row] = [cellOf(each.x), cellOf(each.y)];
    const near = around.flatMap(([x, y]) => cells.get(`${column + x},${row + y}`) ?? []);
    const taken = near.find(({ first }) => Math.hypot(first.x - each.x, first.y - each.y) < apart);
    if (taken) {
      taken.count += each.count;
      taken.imageIds.push(...each.imageIds);
      taken.newest = Math.max(taken.newest, each.newest);
      continue;
    }
    const { count, newest } = each;
    const bubble = { first: each, imageIds: [...each.imageIds], count, newest };
    bubbles.push(bubble);
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), bubble]);
  }
  return bubbles.map(({ first, ...grown }) => ({ ...first, ...grown }));
}

const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));

const source = 'images';
/** The layers of the tiles (docs/map.md). */
const layers = ['clusters', 'images'] as const;

/** The map of the token's user, or of all users of its platform. */
function tilesUrl(session: Session, view: View): string {
  const { userId, platformId } = session;
  const owner = userId === undefined ? `platforms/${platformId}` : `users/${userId}`;
  const query = new URLSearchParams(mapQuery(session, view)).toString();
  return `${location.origin}/api/v1/${owner}/map/{z}/{x}/{y}.mvt${query && `?${query}`}`;
}

/**
 * Makes a map load the tiles of a view without drawing them: see markers.ts. Each
 * choice has a source of its own: otherwise, foundIn would count tiles of the former one until those of
 * the new one have been loaded.
 */
export function showTiles(map: MapView, session: Session, view: View): void {
  if (map.getSource(source)) {
    for (const layer of layers) map.removeLayer(layer);
    map.removeSource(source);
  }
  const tiles: SourceSpecification = {
    type: 'vector',
    tiles: [tilesUrl(session, view)],
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
