import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import { apiDay } from '../../core/days';
import type { Session } from '../../core/session';
import type { Camera } from '../../parts/map/use-map';
import { allImages } from '../library/view';
import type { View } from '../library/view';
import { boxOf, zoomOf } from './frame';
import type { Frame } from './frame';

export type Cluster = components['schemas']['MapClusters']['features'][number];

/** The query of requests for tiles and clusters. What is of one user narrows no map of a platform. */
export function mapQuery({ userId }: Session, view: View) {
  const { from, to, detailed, folder, search, camera, set, customKey, customValue } = view;
  return {
    ...((from || to) && { date_by: 'taken_at' as const }),
    ...(from && { from_date: apiDay(from) }),
    ...(to && { to_date: apiDay(to) }),
    ...(detailed && { has_det: detailed }),
    ...(userId !== undefined && {
      ...(folder !== undefined && {
        folder_id: folder,
        with_subfolders: view.below ? ('True' as const) : ('False' as const),
      }),
      ...(search && { search, search_type: view.searchIn }),
      ...(camera && { camera }),
      ...(set && { upload_set_id: set }),
      ...(customKey && { custom_key: customKey }),
      ...(customKey && customValue && { custom_value: customValue }),
    }),
  };
}

/** The clusters in a frame: of the token's user, or of all users of its platform. */
export async function readClusters(
  session: Session,
  frame: Frame,
  view: View,
  signal: AbortSignal,
): Promise<readonly Cluster[]> {
  const { userId, platformId = '' } = session;
  const query = { bbox: boxOf(frame), zoom: zoomOf(frame), ...mapQuery(session, view) };
  const { features } = await call(async (client) =>
    enclosed(
      userId === undefined
        ? await client.GET('/api/v1/platforms/{platform_id}/map/clusters', {
            params: { path: { platform_id: platformId }, query },
            signal,
          })
        : await client.GET('/api/v1/users/{user_id}/map/clusters', {
            params: { path: { user_id: userId }, query },
            signal,
          }),
    ),
  );
  return features;
}

interface Bare<Body> extends Omit<Answer<unknown>, 'data'> {
  readonly data?: Body;
}

/** GeoJSON lacks the envelope of other answers. */
const enclosed = <Body>({ data, ...rest }: Bare<Body>): Answer<Body> => ({
  ...rest,
  ...(data && { data: { result: data } }),
});

export const countOf = (clusters: readonly Cluster[]): number =>
  clusters.reduce((sum, { properties }) => sum + properties.count, 0);

/** Whether they count every image, and not only the newest ones. */
export const isExact = (clusters: readonly Cluster[]): boolean =>
  clusters.every(({ properties }) => properties.count_is_exact !== false);

const world: Frame = {
  west: -180,
  south: -90,
  east: 180,
  north: 90,
  latitude: 0,
  longitude: 0,
  zoom: 3,
};

/** A camera that shows all images of a view; all images, if it has none on the map. */
export async function readStart(
  session: Session,
  view: View,
  signal: AbortSignal,
): Promise<Camera> {
  const found = await readClusters(session, world, view, signal);
  return cameraOn(found.length > 0 ? found : await readClusters(session, world, allImages, signal));
}

/** Zoom of a map that shows one place. */
const closest = 11;

/** Pixels of the smallest map: what fits on it fits on any. */
const least = 300;

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
