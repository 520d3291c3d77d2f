import type { Camera } from '../../parts/map/use-map';
import type { MapView } from '../../parts/map/engine';

/** The visible area of the earth: west is at most east. */
export interface View {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

export function viewOf(map: MapView): View {
  const bounds = map.getBounds();
  const { lat: latitude, lng: longitude } = map.getCenter();
  return {
    west: within(bounds.getWest(), 180),
    south: within(bounds.getSouth(), 90),
    east: within(bounds.getEast(), 180),
    north: within(bounds.getNorth(), 90),
    zoom: map.getZoom(),
    latitude: within(latitude, 90),
    longitude: within(longitude, 180),
  };
}

export const has = (
  { west, south, east, north }: View,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): boolean => longitude >= west && longitude <= east && latitude >= south && latitude <= north;

export const boxOf = ({ west, south, east, north }: View): string =>
  [west, south, east, north].map((degrees) => degrees.toFixed(6)).join(',');

/** The zoom in the format of requests. */
export const zoomOf = ({ zoom }: View): number => Math.max(0, Math.min(22, Math.floor(zoom)));

/** The camera as a query of the URL, so that a reader who returns from an image is where they were. */
export const queryOf = ({ latitude, longitude, zoom }: Camera): string =>
  `?at=${[latitude.toFixed(5), longitude.toFixed(5), zoom.toFixed(2)].join(',')}`;

export function cameraIn(query: string): Camera | undefined {
  const [latitude, longitude, zoom] = (new URLSearchParams(query).get('at') ?? '')
    .split(',')
    .map(Number);
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined;
  const fits = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 22;
  return fits ? { latitude, longitude, zoom } : undefined;
}
