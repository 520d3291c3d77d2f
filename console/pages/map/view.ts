import type { MapView } from '../../parts/map/engine';

/** The visible area of the earth: west is at most east. */
export interface View {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly zoom: number;
  /** Its middle. */
  readonly latitude: number;
  readonly longitude: number;
}

/** A part of the map in pixels, from its upper left corner. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Of the width of the map: a panel that is wider lies across it. */
const across = 0.75;

/** The part of the map that a panel leaves free: beside it, or above it if it lies across the map. */
export function freeArea(map: MapView, panel: HTMLElement | null, isOpen: boolean): Area {
  const { left, top, width, height } = map.getCanvas().getBoundingClientRect();
  const cover = panel?.getBoundingClientRect();
  if (cover && cover.width > across * width) {
    return { left: 0, right: width, bottom: cover.top - top };
  }
  return { left: cover && isOpen ? cover.right - left : 0, right: width, bottom: height };
}

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

export function viewOf(map: MapView, { left, right, bottom }: Area): View {
  const { lat: north, lng: west } = map.unproject([left, 0]);
  const { lat: south, lng: east } = map.unproject([right, bottom]);
  const middle = map.unproject([(left + right) / 2, bottom / 2]);
  return {
    west: within(west, 180),
    south: within(south, 90),
    east: within(east, 180),
    north: within(north, 90),
    zoom: map.getZoom(),
    latitude: within(middle.lat, 90),
    longitude: within(middle.lng, 180),
  };
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Moves a place into the middle of what is free. */
export function moveTo(map: MapView, { left, right, bottom }: Area, to: Place, zoom: number): void {
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  map.easeTo({
    center: [to.longitude, to.latitude],
    zoom: Math.min(map.getMaxZoom(), zoom),
    offset: [(left + right - width) / 2, (bottom - height) / 2],
  });
}

export const has = ({ west, south, east, north }: View, { latitude, longitude }: Place): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

export const boxOf = ({ west, south, east, north }: View): string =>
  [west, south, east, north].map((degrees) => degrees.toFixed(6)).join(',');

/** The zoom in the format of requests. */
export const zoomOf = ({ zoom }: View): number => Math.max(0, Math.min(22, Math.floor(zoom)));
