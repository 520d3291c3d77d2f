import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import { distance } from './circle';
import type { Circle } from './circle';
import { listQuery } from './filters';
import type { Filters, ImageRecord } from './filters';
import { has } from './view';
import type { View } from './view';

type ImageList = components['schemas']['ImageList'];

/** The area of the listed images: a view or a circle. */
export interface Area {
  readonly view: View;
  readonly circle: Circle | undefined;
}

/** The images read so far, nearest first. */
export interface Nearby {
  readonly images: readonly ImageRecord[];
  readonly finished: boolean;
  /** The cursor of the next page; null for the first one. */
  readonly next: string | null;
  /** The number of images in the circle; unknown for a view. */
  readonly total: number | undefined;
}

export const nothingYet: Nearby = { images: [], finished: false, next: null, total: undefined };

const pageSize = 60;

/** Pages that are read in one go without finding any image in the view. */
const maxPages = 5;

/** A little more than half the circumference of the earth, in meters. */
const everywhere = 20_050_000;

/** Degrees of longitude up to which no place of a view is farther from its middle than its corners. */
const widest = 170;

/** The distance of the corners of a view from its middle, and a little more. */
function reachOf(view: View): number {
  if (view.east - view.west > widest) return everywhere;
  const corners = [view.south, view.north].flatMap((latitude) =>
    [view.west, view.east].map((longitude) => distance(view, { latitude, longitude })),
  );
  return Math.min(everywhere, 1.01 * Math.max(...corners));
}

/** The next page of images: those in the circle around a view that are also in the view. */
export async function readMore(
  userId: string,
  { view, circle }: Area,
  filters: Filters,
  before: Nearby,
  signal: AbortSignal,
): Promise<Nearby> {
  const { latitude, longitude, radius } = circle ?? { ...view, radius: reachOf(view) };
  let { next } = before;
  for (let page = 0; page < maxPages; page += 1) {
    const query = {
      ...({ view_type: 'map', has_delete_at: 'False' } as const),
      page_size: pageSize,
      latitude,
      longitude,
      radius: Math.ceil(radius),
      ...listQuery(filters),
      ...(next !== null && { cursor: next }),
    };
    const params = { path: { user_id: userId }, query };
    // The type covers other views as well: a ZIP and days.
    const found = await call(
      (client) =>
        client.GET('/api/v1/users/{user_id}/images', { params, signal }) as Promise<
          Answer<ImageList>
        >,
    );
    const records = found.items;
    const fresh = circle ? records : records.filter((image) => isSeen(view, image));
    next = found.next_cursor;
    const finished = next === null;
    if (fresh.length > 0 || finished) {
      const total = circle ? found.total_count : undefined;
      return { images: [...before.images, ...fresh], finished, next, total };
    }
  }
  return { ...before, next };
}

const isSeen = (view: View, { lat, lng }: ImageRecord): boolean =>
  lat !== null && lng !== null && has(view, { latitude: lat, longitude: lng });
