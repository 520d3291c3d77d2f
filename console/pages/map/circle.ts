import type { Feature } from 'geojson';
import { useEffect } from 'preact/hooks';
import { language, number, t } from '../../core/i18n';
import { colorOf } from '../../core/theme';
import { LngLat, Marker } from '../../parts/map/engine';
import type { GeoJSONSource, MapView } from '../../parts/map/engine';

/** An area around a place, with a radius in meters. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

/** As the view of a library has it. */
export const circleText = ({ latitude, longitude, radius }: Circle): string =>
  [latitude.toFixed(5), longitude.toFixed(5), radius].join(',');

export function circleOf(text: string): Circle | undefined {
  const [latitude = 0, longitude = 0, radius = 0] = text.split(',').map(Number);
  return text === '' ? undefined : { latitude, longitude, radius };
}

/** The radius of a sphere, which is exact enough for display; the API measures on the ellipsoid. */
const earthRadius = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The place at a distance in a direction from the middle, in radians from north. */
function edgeAt({ latitude, longitude, radius }: Circle, bearing: number): [number, number] {
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
function drawCircle(map: MapView, circle: Circle | undefined): void {
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

/** Meters; the API accepts at most half the circumference of the earth. */
const radii = { least: 1, most: 20_000_000 };

export const fittingRadius = (meters: number): number =>
  Math.max(radii.least, Math.min(radii.most, Math.round(meters)));

/** Step of one key press, as a share of the radius. */
const step = 0.1;

const east = Math.PI / 2;

/** A circle on the map, with handles in its middle and at its edge, for dragging or arrow keys. */
export function useCircle(
  map: MapView | undefined,
  circle: Circle | undefined,
  onChange: (circle: Circle) => void,
): void {
  useEffect(() => {
    if (!map) return undefined;
    drawCircle(map, circle);
    if (!circle) return undefined;
    const middle = new Marker({ element: middleHandle(), draggable: true });
    const edge = new Marker({ element: edgeHandle(circle.radius), draggable: true });
    const moved = (): Circle => ({ ...circle, ...coordinatesOf(middle.getLngLat()) });
    const resized = (): Circle => ({
      ...circle,
      radius: fittingRadius(distance(circle, coordinatesOf(edge.getLngLat()))),
    });
    middle.on('drag', () => {
      drawCircle(map, moved());
      edge.setLngLat(edgeAt(moved(), east));
    });
    edge.on('drag', () => drawCircle(map, resized()));
    middle.on('dragend', () => onChange(moved()));
    edge.on('dragend', () => onChange(resized()));
    middle.getElement().addEventListener('keydown', (event) => {
      const by = moves[event.key];
      if (!by) return;
      keep(event);
      const to = new LngLat(...edgeAt({ ...circle, radius: circle.radius * step }, by.bearing));
      onChange({ ...circle, ...coordinatesOf(to) });
    });
    edge.getElement().addEventListener('keydown', (event) => {
      const by = sizes[event.key];
      if (by === undefined) return;
      keep(event);
      onChange({ ...circle, radius: fittingRadius(circle.radius * by) });
    });
    middle.setLngLat([circle.longitude, circle.latitude]).addTo(map);
    edge.setLngLat(edgeAt(circle, east)).addTo(map);
    const focused = focusedHandle;
    focusedHandle = undefined;
    if (focused === 'middle') middle.getElement().focus();
    if (focused === 'edge') edge.getElement().focus();
    return () => {
      focusedHandle = document.activeElement === edge.getElement() ? 'edge' : undefined;
      if (document.activeElement === middle.getElement()) focusedHandle = 'middle';
      middle.remove();
      edge.remove();
    };
  }, [map, circle, language.value]);
}

/** Keeps the map from handling a key. */
function keep(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** The focused handle of a removed circle, for the circle that replaces it. */
let focusedHandle: 'middle' | 'edge' | undefined;

const moves: Readonly<Record<string, { readonly bearing: number } | undefined>> = {
  ArrowUp: { bearing: 0 },
  ArrowRight: { bearing: Math.PI / 2 },
  ArrowDown: { bearing: Math.PI },
  ArrowLeft: { bearing: -Math.PI / 2 },
};

const sizes: Readonly<Record<string, number | undefined>> = {
  ArrowUp: 1 + step,
  ArrowRight: 1 + step,
  ArrowDown: 1 / (1 + step),
  ArrowLeft: 1 / (1 + step),
  PageUp: 2,
  PageDown: 0.5,
};

/** A circle may be moved across the antimeridian, where longitudes wrap around. */
const coordinatesOf = (at: LngLat): { latitude: number; longitude: number } => {
  const { lat: latitude, lng: longitude } = at.wrap();
  return { latitude, longitude };
};

function middleHandle(): HTMLElement {
  const handle = document.createElement('button');
  handle.type = 'button';
  handle.className = 'map-handle middle';
  handle.setAttribute('aria-label', t('map.moveCircle'));
  return handle;
}

function edgeHandle(radius: number): HTMLElement {
  const handle = document.createElement('div');
  handle.className = 'map-handle edge';
  handle.tabIndex = 0;
  const attributes = {
    role: 'slider',
    'aria-label': t('map.radius'),
    'aria-valuemin': String(radii.least),
    'aria-valuemax': String(radii.most),
    'aria-valuenow': String(radius),
    'aria-valuetext': t('map.meters', { meters: number(radius) }),
  };
  for (const [name, value] of Object.entries(attributes)) handle.setAttribute(name, value);
  return handle;
}
