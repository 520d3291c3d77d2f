import { day } from '../../core/amounts';
import { language, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import { coneElement } from '../../parts/map/cone';
import type { Found } from './bubbles';
import type { ImageRecord } from './filters';

interface Behaviour {
  /** The records of images that have been read. */
  readonly known: ReadonlyMap<string, ImageRecord>;
  readonly onZoom: (bubble: Found) => void;
}

/** Directions of more images would hide each other. */
const mostCones = 5;

/** The images that bubbles show one by one: with a thumbnail, or a direction. */
export const shownSingly = (bubbles: readonly Found[]): string[] =>
  bubbles.flatMap(({ count, imageIds }) => (count > mostCones ? [] : imageIds));

/** The directions in which the images of a bubble were taken, as far as they are known. */
export const directionsOf = (bubble: Found, known: ReadonlyMap<string, ImageRecord>): number[] =>
  shownSingly([bubble]).flatMap((id) => known.get(id)?.direction ?? []);

/** The marker on the map for one or several images. */
export function bubbleElement(bubble: Found, behaviour: Behaviour): HTMLElement {
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
export function thumbElement(url: string | undefined): HTMLElement {
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
