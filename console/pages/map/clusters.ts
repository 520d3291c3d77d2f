import { call } from '../../core/api';
import type { Answer, components } from '../../core/api';
import type { Session } from '../../core/session';
import { mapQuery, noFilters } from './filters';
import type { Filters } from './filters';
import { boxOf, zoomOf } from './view';
import type { View } from './view';

export type Cluster = components['schemas']['MapClusters']['features'][number];

/** The clusters in a view: of the token's user, or of all users of its platform. */
export async function readClusters(
  { userId, platformId = '' }: Session,
  view: View,
  filters: Filters,
  signal: AbortSignal,
): Promise<readonly Cluster[]> {
  const query = { bbox: boxOf(view), zoom: zoomOf(view), ...mapQuery(filters) };
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

const world: View = {
  west: -180,
  south: -90,
  east: 180,
  north: 90,
  latitude: 0,
  longitude: 0,
  zoom: 3,
};

/** The area that contains all images. */
export const readAll = (session: Session, signal: AbortSignal): Promise<readonly Cluster[]> =>
  readClusters(session, world, noFilters, signal);

export const countOf = (clusters: readonly Cluster[]): number =>
  clusters.reduce((sum, { properties }) => sum + properties.count, 0);

/** Whether they count every image, and not only the newest ones. */
export const isExact = (clusters: readonly Cluster[]): boolean =>
  clusters.every(({ properties }) => properties.count_is_exact !== false);
