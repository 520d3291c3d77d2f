import { useEffect, useRef } from 'preact/hooks';
import { language } from '../../core/i18n';
import { Marker } from '../../parts/map/engine';
import type { MapView } from '../../parts/map/engine';
import { bubbleElement } from './bubble-element';
import { bubblesOf } from './bubbles';
import type { Found } from './bubbles';
import { foundIn } from './tiles';

interface BubblesOptions {
  readonly map: MapView | undefined;
  readonly thumbnails: ReadonlyMap<string, string>;
}

/** How many zoom levels a click adds to the lowest one at which a cluster splits. */
const step = 2;

/** How far outside the visible area bubbles are drawn, as a share of it. */
const margin = 0.1;

/** Keeps bubbles on a map: the present ones stay until there are new ones. */
export function useBubbles({ map, thumbnails }: BubblesOptions): void {
  const shown = useRef(new Map<string, Marker>());
  useEffect(() => {
    if (!map) return undefined;
    const markers = shown.current;
    const onZoom = ({ longitude, latitude }: Found): void => {
      const zoom = Math.min(map.getMaxZoom(), Math.floor(map.getZoom()) + step);
      map.easeTo({ center: [longitude, latitude], zoom });
    };
    const behaviour = { thumbnailOf: (id: string) => thumbnails.get(id), onZoom };
    const draw = (): void => {
      const wanted = new Map(seenOn(map).map((bubble) => [keyOf(bubble, thumbnails), bubble]));
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
    };
    map.on('idle', draw);
    if (map.loaded()) draw();
    return () => void map.off('idle', draw);
  }, [map, thumbnails]);
  useEffect(
    () => () => {
      for (const marker of shown.current.values()) marker.remove();
      shown.current.clear();
    },
    [map, language.value],
  );
}

const keyOf = ({ imageId, count }: Found, thumbnails: ReadonlyMap<string, string>): string =>
  `${imageId} ${count}${count === 1 && thumbnails.has(imageId) ? ' seen' : ''}`;

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
