import { day } from '../../core/amounts';
import { language, t } from '../../core/i18n';
import { hrefOf } from '../../core/router';
import type { Found } from './bubbles';

interface Behaviour {
  /** The URL of an image's thumbnail, if it is known. */
  readonly thumbnailOf: (imageId: string) => string | undefined;
  readonly onZoom: (bubble: Found) => void;
}

/** The marker on the map for one or several images. */
export function bubbleElement(bubble: Found, behaviour: Behaviour): HTMLElement {
  return bubble.count > 1 ? cluster(bubble, behaviour) : point(bubble, behaviour);
}

function cluster(bubble: Found, { onZoom }: Behaviour): HTMLElement {
  const { count, newest } = bubble;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'map-cluster';
  button.dataset.count = String(count);
  // The size grows by an eighth of an inch with every tenfold number of images.
  button.style.setProperty('--size', `${28 + 8 * Math.log10(count)}px`);
  button.textContent = compact(count);
  button.setAttribute('aria-label', t('map.cluster', { count, day: day(newest) }));
  button.addEventListener('click', () => onZoom(bubble));
  return button;
}

function point({ imageId, userId, newest }: Found, { thumbnailOf }: Behaviour): HTMLElement {
  const link = document.createElement('a');
  link.className = 'map-point';
  link.dataset.count = '1';
  link.href = hrefOf(pictureAt(imageId, userId));
  link.setAttribute('aria-label', t('map.image', { day: day(newest) }));
  const thumbnail = thumbnailOf(imageId);
  if (thumbnail !== undefined) {
    link.append(Object.assign(new Image(), { src: thumbnail, alt: '', decoding: 'async' }));
  }
  return link;
}

/** The page of an image: of the token's user, or of a user of its platform. */
export const pictureAt = (imageId: string, userId?: string): string =>
  `${userId === undefined ? '' : `/users/${userId}`}/library/images/${imageId}`;

const compact = (count: number): string =>
  new Intl.NumberFormat(language.value, { notation: 'compact' }).format(count);
