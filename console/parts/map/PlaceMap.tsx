import { useEffect, useRef } from 'preact/hooks';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { serviceSettings } from '../../core/service';
import { useRead } from '../../core/use-read';
import { Marker } from './engine';
import type { LngLat, MapView } from './engine';
import { useMap } from './use-map';
import { coneElement } from './cone';

export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
}

export interface PlaceMapProps {
  readonly spot: Spot | undefined;
  /** Degrees from north in which a picture looks from there. */
  readonly direction?: number | null | undefined;
  /** Chooses another place: by a click, by dragging the pin, or by its arrow keys. */
  readonly onChoose?: ((spot: Spot) => void) | undefined;
}

/** Where streets are told apart; and where the outlines of countries are still a map. */
const zooms = { streets: 16, outlines: 4.5 };
const world = { latitude: 20, longitude: 0, zoom: 0 };

/** One place on a small map. Loaded only when it is visible, because it loads MapLibre. */
export default function PlaceMap(props: PlaceMapProps) {
  const { data, problem } = useRead(serviceSettings, []);
  if (!data && problem === undefined) return <div class="map-view place-map" />;
  return <Opened {...props} zoom={data?.basemap ? zooms.streets : zooms.outlines} />;
}

function Opened({ spot, direction, onChoose, zoom }: PlaceMapProps & { readonly zoom: number }) {
  const label = spot ? t('map.place', textOf(spot)) : t('map.choosePlace');
  const start = spot ? { ...spot, zoom } : world;
  const { map, problem, again, place } = useMap({ start, label });
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => map && followClicks(map, (chosen) => choose.current?.(chosen)), [map]);
  useEffect(() => {
    if (!map || !spot) return undefined;
    const center = [spot.longitude, spot.latitude] as const;
    const element = pinElement(direction ?? undefined, onChoose && t('map.movePin'));
    const marker = new Marker({ element, draggable: onChoose !== undefined });
    marker.setLngLat([...center]).addTo(map);
    marker.on('dragend', () => choose.current?.(spotOf(marker.getLngLat())));
    element.addEventListener('keydown', (event) => {
      const to = nudged(map, marker.getLngLat(), event.key);
      if (!to) return;
      event.preventDefault();
      event.stopPropagation();
      marker.setLngLat(to);
      choose.current?.(spotOf(to));
    });
    if (!map.getBounds().contains([...center])) map.jumpTo({ center: [...center] });
    if (pinHadFocus) element.focus();
    pinHadFocus = false;
    return () => {
      pinHadFocus = document.activeElement === element;
      marker.remove();
    };
  }, [map, spot?.latitude, spot?.longitude, direction, onChoose !== undefined]);
  if (problem !== undefined) return <ErrorNote problem={problem} onRetry={again} />;
  return <div ref={place} class="map-view place-map" />;
}

/** Whether a pin that was removed had the focus, for the one that replaces it. */
let pinHadFocus = false;

const textOf = ({ latitude, longitude }: Spot) => ({
  latitude: latitude.toFixed(5),
  longitude: longitude.toFixed(5),
});

/** With as many digits as the API keeps. */
function spotOf(at: LngLat): Spot {
  const { lat, lng } = at.wrap();
  return { latitude: Number(lat.toFixed(7)), longitude: Number(lng.toFixed(7)) };
}

function followClicks(map: MapView, onSpot: (spot: Spot) => void): () => void {
  const click = ({ lngLat }: { readonly lngLat: LngLat }): void => onSpot(spotOf(lngLat));
  map.on('click', click);
  return () => void map.off('click', click);
}

/** How far an arrow key moves the pin, in pixels. */
const stride = 8;

const arrows: Readonly<Record<string, readonly [number, number] | undefined>> = {
  ArrowUp: [0, -stride],
  ArrowRight: [stride, 0],
  ArrowDown: [0, stride],
  ArrowLeft: [-stride, 0],
};

function nudged(map: MapView, from: LngLat, key: string): LngLat | undefined {
  const arrow = arrows[key];
  if (!arrow) return undefined;
  const { x, y } = map.project(from);
  return map.unproject([x + arrow[0], y + arrow[1]]);
}

/**
 * A pin on a map.
 * @param direction in which a picture looks from there, as a cone.
 * @param name of a pin that can be moved.
 */
function pinElement(direction: number | undefined, name: string | undefined): HTMLElement {
  const pin = document.createElement('div');
  pin.className = 'map-pin';
  if (name !== undefined) {
    pin.tabIndex = 0;
    pin.setAttribute('role', 'button');
    pin.setAttribute('aria-label', name);
  }
  if (direction !== undefined) pin.append(coneElement(direction));
  return pin;
}
