import { useEffect, useRef } from 'preact/hooks';
import { language } from '../../core/i18n';
import { Marker } from '../../parts/map/engine';
import type { MapView } from '../../parts/map/engine';
import type { Session } from '../../core/session';
import { bubbleElement, directionsOf, shownSingly } from './bubble-element';
import { bubblesOf } from './bubbles';
import type { Found } from './bubbles';
import type { Filters, ImageRecord } from './filters';
import { foundIn, showTiles } from './tiles';
import './bubbles.css';
import type { Place } from './view';

interface BubblesOptions {
  readonly map: MapView | undefined;
  readonly session: Session;
  readonly filters: Filters;
  /** The records of images that have been read: they have thumbnails and directions. */
  readonly known: ReadonlyMap<string, ImageRecord>;
  /** Images that are shown one by one, and have not been read. */
  readonly onUnknown: (ids: readonly string[]) => void;
  readonly fly: (to: Place, zoom: number) => void;
}

/** How many zoom levels a click adds to the lowest one at which a cluster splits. */
const step = 2;

/** How far outside the visible area bubbles are drawn, as a share of it. */
const margin = 0.1;

/** Keeps bubbles on a map: the present ones stay until there are new ones. */
export function useBubbles(options: BubblesOptions): void {
  const { map, session, filters, known } = options;
  const shown = useRef(new Map<string, Marker>());
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (map) showTiles(map, session, filters);
  }, [map, filters]);
  useEffect(() => {
    if (!map) return undefined;
    const markers = shown.current;
    const onZoom = (bubble: Found): void =>
      latest.current.fly(bubble, Math.floor(map.getZoom()) + step);
    const behaviour = { known, onZoom };
    const draw = (): void => {
      const seen = seenOn(map);
      const wanted = new Map(seen.map((bubble) => [keyOf(bubble, known), bubble]));
      for (const [key, marker] of markers) {
        if (wanted.has(key)) continue;
        marker.remove();
        markers.delete(key);
      }
      for (const [key, bubble] of wanted) {
        if (markers.has(key)) continue;
        const marker = new Marker({ element: bubbleElement(bubble, behaviour) });
        markers.set(key, marker.setLngLat([bubble.longitude, bubble.latitude]).addTo(map));
      }
      latest.current.onUnknown(shownSingly(seen).filter((id) => !known.has(id)));
    };
    map.on('idle', draw);
    if (map.loaded()) draw();
    return () => void map.off('idle', draw);
  }, [map, known]);
  useEffect(
    () => () => {
      for (const marker of shown.current.values()) marker.remove();
      shown.current.clear();
    },
    [map, language.value],
  );
}

/** Everything that a marker shows. */
const keyOf = (bubble: Found, known: ReadonlyMap<string, ImageRecord>): string =>
  [
    bubble.imageId,
    bubble.count,
    bubble.count === 1 && known.has(bubble.imageId),
    ...directionsOf(bubble, known),
  ].join(' ');

function seenOn(map: MapView): Found[] {
  const bounds = map.getBounds();
  const wide = (bounds.getEast() - bounds.getWest()) * margin;
  const high = (bounds.getNorth() - bounds.getSouth()) * margin;
  return bubblesOf(foundIn(map)).filter(
    ({ longitude, latitude }) =>
      longitude >= bounds.getWest() - wide &&
      longitude <= bounds.getEast() + wide &&
      latitude >= bounds.getSouth() - high &&
      latitude <= bounds.getNorth() + high,
  );
}
