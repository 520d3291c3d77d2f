import type { Feature } from 'geojson';
import { LngLat } from '../../parts/map/engine';
import type { GeoJSONSource, MapView } from '../../parts/map/engine';
import { colorOf } from '../../core/theme';

/** An area around a place, with a radius in meters. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

/** The radius of a sphere, which is exact enough for display; the API measures on the ellipsoid. */
const earthRadius = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The place at a distance in a direction from the middle, in radians from north. */
export function edgeAt({ latitude, longitude, radius }: Circle, bearing: number): [number, number] {
  const distance = radius / earthRadius;
  const from = radians(latitude);
  const to = Math.asin(
    Math.sin(from) * Math.cos(distance) + Math.cos(from) * Math.sin(distance) * Math.cos(bearing),
  );
  const by = Math.atan2(
    Math.sin(bearing) * Math.sin(distance) * Math.cos(from),
    Math.cos(distance) - Math.sin(from) * Math.sin(to),
  );
  return [longitude + degrees(by), degrees(to)];
}

/** Meters between two places. */
export const distance = (
  a: { readonly latitude: number; readonly longitude: number },
  b: { readonly latitude: number; readonly longitude: number },
): number => new LngLat(a.longitude, a.latitude).distanceTo(new LngLat(b.longitude, b.latitude));

const corners = 96;

const outline = (circle: Circle): Feature => {
  const edge = Array.from({ length: corners + 1 }, (_, n) =>
    edgeAt(circle, (2 * Math.PI * (n % corners)) / corners),
  );
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [edge] } };
};

const id = 'circle';

/** Draws or removes a circle. */
export function drawCircle(map: MapView, circle: Circle | undefined): void {
  const data = {
    type: 'FeatureCollection' as const,
    features: circle ? [outline(circle)] : [],
  };
  const source = map.getSource<GeoJSONSource>(id);
  if (source) {
    void source.setData(data);
    return;
  }
  const color = colorOf('--accent');
  map.addSource(id, { type: 'geojson', data });
  map.addLayer({
    id,
    type: 'fill',
    source: id,
    paint: { 'fill-color': color, 'fill-opacity': 0.12 },
  });
  map.addLayer({
    id: 'circle-edge',
    type: 'line',
    source: id,
    paint: { 'line-color': color, 'line-width': 2 },
  });
}
