import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import { dayOfStamp, shiftDay, todayIn } from '../../core/days';
import { serviceSettings } from '../../core/service';
import type { Session } from '../../core/session';
import type { Camera } from '../../parts/map/use-map';
import { readAll } from './clusters';
import type { Cluster } from './clusters';

/** The initial state of a map. */
export interface Start {
  /** A camera that shows all images. */
  readonly camera: Camera;
  /** The days that the time slider covers. */
  readonly first: string;
  readonly last: string;
}

/** Zoom of a map that shows one place. */
const closest = 11;

/** Pixels of the smallest map: what fits on it fits on any. */
const least = 300;

export async function readStart(session: Session, signal: AbortSignal): Promise<Start> {
  const [{ time_zone: zone }, clusters, oldest] = await Promise.all([
    serviceSettings(),
    readAll(session, signal),
    session.userId === undefined ? undefined : readOldest(session.userId, signal),
  ]);
  const last = todayIn(zone);
  const first = oldest ?? shiftDay(last, -platformDays);
  return { camera: cameraOn(clusters), first: first < last ? first : shiftDay(last, -1), last };
}

/** How far the slider goes back for a platform, whose oldest image is unknown. */
const platformDays = 5 * 365;

/** The day of the user's oldest image, by the time that it was taken. */
async function readOldest(userId: string, signal: AbortSignal): Promise<string | undefined> {
  const read = (last_index: number) =>
    call((client) => {
      const query = {
        ...({ has_delete_at: 'False', sort_by: 'taken_at', page_size: 1 } as const),
        last_index,
      };
      const params = { path: { user_id: userId }, query };
      return client.GET('/api/v1/users/{user_id}/images', { params, signal }) as Promise<
        Answer<components['schemas']['ImageList']>
      >;
    });
  const { total_count: count, items } = await read(0);
  const oldest = count > 1 ? (await read(count - 1)).items : items;
  return oldest[0] && dayOfStamp(oldest[0].taken_at ?? oldest[0].created_at);
}

function cameraOn(clusters: readonly Cluster[]): Camera {
  const places = clusters.map(({ geometry }) => geometry.coordinates);
  if (places.length === 0) return { latitude: 20, longitude: 20, zoom: 1 };
  const [west, east] = ends(places.map(([longitude = 0]) => longitude));
  const [south, north] = ends(places.map(([, latitude = 0]) => latitude));
  const part = Math.max((east - west) / 360, (north - south) / 170);
  const zoom = part === 0 ? closest : Math.log2(least / 512 / part);
  const shown = Math.max(0.5, Math.min(closest, zoom));
  // In the middle of what the list leaves free.
  const aside = isWide() ? (listWidth / 2 / 512 / 2 ** shown) * 360 : 0;
  return {
    latitude: (south + north) / 2,
    longitude: Math.max(-180, (west + east) / 2 - aside),
    zoom: shown,
  };
}

/** As in map-page.css: whether the list is beside the map, and the pixels that it takes there. */
export const isWide = (): boolean => matchMedia('(width >= 64rem)').matches;
const listWidth = 364;

const ends = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values),
];
