import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MapView } from '../../parts/map/engine';
import { cameraOf } from '../../parts/map/use-map';
import type { Camera } from '../../parts/map/use-map';

/** The visible area of the earth: west is at most east. */
export interface Frame {
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
function freeArea(map: MapView, panel: HTMLElement | null, isOpen: boolean): Area {
  const { left, top, width, height } = map.getCanvas().getBoundingClientRect();
  const cover = panel?.getBoundingClientRect();
  if (cover && cover.width > across * width) {
    return { left: 0, right: width, bottom: cover.top - top };
  }
  return { left: cover && isOpen ? cover.right - left : 0, right: width, bottom: height };
}

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

function frameOf(map: MapView, { left, right, bottom }: Area): Frame {
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

export const has = ({ west, south, east, north }: Frame, { latitude, longitude }: Place): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

export const boxOf = ({ west, south, east, north }: Frame): string =>
  [west, south, east, north].map((degrees) => degrees.toFixed(6)).join(',');

/** The zoom in the format of requests. */
export const zoomOf = ({ zoom }: Frame): number => Math.max(0, Math.min(22, Math.floor(zoom)));

interface Seen {
  readonly frame: Frame;
  readonly camera: Camera;
  readonly area: Area;
}

/** What a panel over the map leaves visible, read again when the map has moved. */
export function useFrame(
  map: MapView | undefined,
  panel: RefObject<HTMLElement | null>,
  isOpen: boolean,
): Partial<Seen> {
  const [seen, setSeen] = useState<Seen>();
  const before = useRef<{ readonly isOpen: boolean; readonly frame: Frame }>(null);
  useEffect(() => {
    if (!map) return undefined;
    const update = (): void => {
      const area = freeArea(map, panel.current, isOpen);
      const frame = frameOf(map, area);
      before.current = { isOpen, frame };
      setSeen({ frame, camera: cameraOf(map), area });
    };
    map.on('moveend', update);
    const last = before.current;
    update();
    // What was in the middle stays there when the panel takes or leaves its place.
    if (last && last.isOpen !== isOpen) {
      moveTo(map, freeArea(map, panel.current, isOpen), last.frame, map.getZoom());
    }
    return () => void map.off('moveend', update);
  }, [map, isOpen]);
  return seen ?? {};
}

/** Where a map of a URL looks, unless its query is of another page, mistyped or cut. */
export function cameraIn(query: string): Camera | undefined {
  const at = new URLSearchParams(query).get('at')?.split(',').map(Number) ?? [];
  const [latitude = 91, longitude = 181, zoom = -1] = at;
  const fits = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 22;
  return fits ? { latitude, longitude, zoom } : undefined;
}

export const cameraText = ({ latitude, longitude, zoom }: Camera): string =>
  [latitude.toFixed(5), longitude.toFixed(5), zoom.toFixed(2)].join(',');
