import { useEffect } from 'preact/hooks';
import { language, number, t } from '../../core/i18n';
import { LngLat, Marker } from '../../parts/map/engine';
import type { MapView } from '../../parts/map/engine';
import { distance, drawCircle, edgeAt } from './circle';
import type { Circle } from './circle';

/** Meters; the API accepts at most half the circumference of the earth. */
export const radii = { least: 1, most: 20_000_000 };

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
