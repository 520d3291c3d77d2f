import type { Camera } from '../../parts/map/use-map';
import type { Circle } from './circle';
import type { Filters } from './filters';
import { radii } from './use-circle';

// What a map shows, as the query of its URL: whoever opens a copied link sees the same, and a reader
// who returns from an image is where they were.

export interface Shown {
  readonly camera: Camera | undefined;
  readonly filters: Filters;
  readonly circle: Circle | undefined;
}

export function queryOf({ camera, filters, circle }: Shown): string {
  const words = new URLSearchParams();
  if (camera) words.set('at', pointIn(camera, camera.zoom.toFixed(2)));
  if (filters.from) words.set('from', filters.from);
  if (filters.to) words.set('to', filters.to);
  if (filters.detailed) words.set('detailed', filters.detailed);
  if (circle) words.set('circle', pointIn(circle, String(circle.radius)));
  const query = words.toString().replaceAll('%2C', ',');
  return query && `?${query}`;
}

export function shownIn(query: string): Shown {
  const words = new URLSearchParams(query);
  const at = threeIn(words.get('at'), 22);
  const circle = threeIn(words.get('circle'), radii.most);
  return {
    camera: at && { latitude: at[0], longitude: at[1], zoom: at[2] },
    filters: {
      from: dayIn(words.get('from')),
      to: dayIn(words.get('to')),
      detailed: (['True', 'False', 'None'] as const).find((word) => word === words.get('detailed')),
    },
    circle:
      circle && circle[2] >= radii.least
        ? { latitude: circle[0], longitude: circle[1], radius: circle[2] }
        : undefined,
  };
}

const pointIn = (
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  third: string,
): string => [latitude.toFixed(5), longitude.toFixed(5), third].join(',');

const dayIn = (word: string | null): string | undefined =>
  word !== null && /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(word))
    ? word
    : undefined;

/** A place and a number, which are no coordinates in a mistyped or cut link. */
function threeIn(word: string | null, most: number): [number, number, number] | undefined {
  const [latitude, longitude, third] = (word ?? '').split(',').map(Number);
  if (latitude === undefined || longitude === undefined || third === undefined) return undefined;
  const fits = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && third >= 0;
  return fits && third <= most ? [latitude, longitude, third] : undefined;
}
