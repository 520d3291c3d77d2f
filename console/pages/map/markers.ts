import { useEffect, useRef } from 'preact/hooks';
import { day } from '../../core/amounts';
import { language, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { Session } from '../../core/session';
import { coneElement } from '../../parts/map/cone';
import { Marker } from '../../parts/map/engine';
import type { MapView } from '../../parts/map/engine';
import type { View } from '../library/view';
import { bubblesOf, foundIn, showTiles } from './bubbles';
import type { Found } from './bubbles';
import type { Place } from './frame';
import type { ImageRecord } from './nearby';
import './bubbles.css';

interface BubblesOptions {
  readonly map: MapView | undefined;
  readonly session: Session;
  readonly view: View;
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
  const { map, session, view, known } = options;
  const shown = useRef(new Map<string, Marker>());
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (map) showTiles(map, session, view);
  }, [map, view]);
  useEffect(() => {
    if (!map) return undefined;
    const markers = shown.current;
    const onZoom = (bubble: Found): void =>
      latest.current.fly(bubble, Math.floor(map.getZoom()) + step);
    const behaviour = { known, onZoom };
    const draw = (): void => {
      const seen = seenOn(map);
      const wanted = new Map(seen.map((bubble) => [labelOf(bubble, known), bubble]));
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
const labelOf = (bubble: Found, known: ReadonlyMap<string, ImageRecord>): string =>
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

interface Behaviour {
  /** The records of images that have been read. */
  readonly known: ReadonlyMap<string, ImageRecord>;
  readonly onZoom: (bubble: Found) => void;
}

/** Directions of more images would hide each other. */
const mostCones = 5;

/** The images that bubbles show one by one: with a thumbnail, or a direction. */
const shownSingly = (bubbles: readonly Found[]): string[] =>
  bubbles.flatMap(({ count, imageIds }) => (count > mostCones ? [] : imageIds));

/** The directions in which the images of a bubble were taken, as far as they are known. */
const directionsOf = (bubble: Found, known: ReadonlyMap<string, ImageRecord>): number[] =>
  shownSingly([bubble]).flatMap((id) => known.get(id)?.direction ?? []);

/** The marker on the map for one or several images. */
function bubbleElement(bubble: Found, behaviour: Behaviour): HTMLElement {
  const element = bubble.count > 1 ? cluster(bubble, behaviour) : point(bubble, behaviour);
  element.dataset.count = String(bubble.count);
  element.prepend(...directionsOf(bubble, behaviour.known).map(coneElement));
  return element;
}

function cluster(bubble: Found, { onZoom }: Behaviour): HTMLElement {
  const { count, newest } = bubble;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'map-cluster';
  // The size grows by an eighth of an inch with every tenfold number of images.
  button.style.setProperty('--size', `${28 + 8 * Math.log10(count)}px`);
  const disk = document.createElement('span');
  disk.className = 'map-disk';
  disk.textContent = compact(count);
  button.append(disk);
  button.setAttribute('aria-label', t('map.cluster', { count, day: day(newest) }));
  button.addEventListener('click', () => onZoom(bubble));
  return button;
}

function point({ imageId, userId, newest }: Found, { known }: Behaviour): HTMLElement {
  const link = document.createElement('a');
  link.className = 'map-point';
  link.href = hrefOf(pictureAt(imageId, userId));
  link.setAttribute('aria-label', t('map.image', { day: day(newest) }));
  link.append(thumbElement(known.get(imageId)?.thumb_url));
  return link;
}

/** A dot until the thumbnail is known. */
function thumbElement(url: string | undefined): HTMLElement {
  const thumb = document.createElement('span');
  thumb.className = 'map-thumb';
  if (url !== undefined) {
    thumb.append(Object.assign(new Image(), { src: url, alt: '', decoding: 'async' }));
  }
  return thumb;
}

/** The page of an image: of the token's user, or of a user of its platform. */
export const pictureAt = (imageId: string, userId?: string): string =>
  `${userId === undefined ? '' : `/users/${userId}`}/library/images/${imageId}`;

const compact = (count: number): string =>
  new Intl.NumberFormat(language.value, { notation: 'compact' }).format(count);

/** Shows one image above all others, exactly where it was taken. */
export function useHighlight(map: MapView | undefined, image: ImageRecord | undefined): void {
  useEffect(() => {
    if (!map || !image || image.lat === null || image.lng === null) return undefined;
    const element = document.createElement('div');
    element.className = 'map-lit';
    element.ariaHidden = 'true';
    element.dataset.image = image.id;
    if (image.direction !== null) element.append(coneElement(image.direction));
    element.append(thumbElement(image.thumb_url));
    const marker = new Marker({ element }).setLngLat([image.lng, image.lat]).addTo(map);
    return () => void marker.remove();
  }, [map, image]);
}
