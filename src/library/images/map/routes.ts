import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import type { Claims } from '../../../http/auth/claims.js';
import { operation, type Operation } from '../../../http/operation.js';
import { validate } from '../../../http/request-fields.js';
import type { TileUrls, Maps } from './maps.js';
import {
  clusterCollection,
  clusterFields,
  filterFields,
  mapFilterOf,
  ownFilterFields,
  tileBytes,
  tileJson,
  tileJsonQuery,
  type MapOwner,
  type TileJson,
} from './schemas.js';
import { readTile, maxZoom } from './cells.js';

/** Latitude of the northern edge of web maps. */
const edge = 85.05112878;

/**
 * The TileJSON that tells map libraries where the tiles of a map are. @param tileUrl its base, and
 * a query with a signature and a filter.
 */
function tileJsonOf(
  owner: MapOwner,
  pointsZoom: number,
  tileUrl: { readonly base: string; readonly query: string },
): TileJson {
  const layer = (
    id: string,
    description: string,
    minzoom: number,
    fields: Record<string, string>,
  ) => ({
    id,
    description,
    minzoom,
    maxzoom: maxZoom,
    fields: { ...fields, ...(owner.kind === 'platforms' && { user_id: 'String: whose it is' }) },
  });
  return {
    tilejson: '3.0.0',
    name: 'images',
    tiles: [
      `${tileUrl.base}/api/v1/${owner.kind}/${owner.id}/map/{z}/{x}/{y}.mvt?${tileUrl.query}`,
    ],
    vector_layers: [
      layer('clusters', 'Images that are near each other', 0, {
        count: 'Number: how many they are',
        image_id: 'String: the newest of them',
        latest_created_at: 'Number: when that was made, YYYYMMDD',
      }),
      layer('images', 'Single images', pointsZoom, {
        image_id: 'String',
        folder_id: 'String: none at the top level',
        created_at: 'String: YYYYMMDD_HHMMSS',
        has_det: 'Boolean: none if not entered',
      }),
    ],
    scheme: 'xyz',
    minzoom: 0,
    maxzoom: maxZoom,
    bounds: [-180, -edge, 180, edge],
  };
}

export interface MapRouteParts {
  readonly maps: Maps;
  readonly tileUrls: TileUrls;
  readonly clock: WallClock;
}

const vectorTile = 'application/vnd.mapbox-vector-tile';
const geoJson = 'application/geo+json';

/** The operations for the map of a user and for that of a platform. */
const kinds = {
  users: {
    base: '/api/v1/users/:user_id/map',
    schemes: ['User', 'Platform'],
    ids: { tile: 'getMapTile', tileJson: 'getMapTileJson', clusters: 'getMapClusters' },
    whose: 'the user',
    errors: ['user_not_found', 'folder_not_found', 'missing_field', 'upload_set_not_found'],
    fields: ownFilterFields,
  },
  platforms: {
    base: '/api/v1/platforms/:platform_id/map',
    schemes: ['Platform'],
    ids: {
      tile: 'getPlatformMapTile',
      tileJson: 'getPlatformMapTileJson',
      clusters: 'getPlatformMapClusters',
    },
    whose: 'all users of the platform',
    errors: ['folder_not_found'],
    fields: filterFields,
  },
} as const;

type Path = { readonly user_id: string } | { readonly platform_id: string };

function ownerOf(path: Path, { scope, platformId, linkedAt }: Claims): MapOwner {
  const link = linkedAt !== undefined && { linkedAt };
  if ('platform_id' in path) return { kind: 'platforms', id: path.platform_id, ...link };
  return {
    kind: 'users',
    id: path.user_id,
    ...link,
    ...(scope === 'platform' && platformId !== undefined && { platformId }),
  };
}

const operationsOf = (
  kind: (typeof kinds)['users' | 'platforms'],
  { maps, tileUrls, clock }: MapRouteParts,
): Operation[] => {
  const { base, ids, whose } = kind;
  const fields = kind.fields(clock);
  const { schemes: scheme, errors } = kind;
  const common = { method: 'get', scheme, allow: ['read'], ext: true, bare: true, errors } as const;
  return [
    operation(
      {
        ...common,
        id: ids.tile,
        path: `${base}/:z/:x/:y.mvt`,
        signed: true,
        versioned: true,
        summary: `Get a Mapbox vector tile of the images of ${whose}: clusters, or single images`,
        query: z.object(fields),
        result: tileBytes,
        stream: vectorTile,
      },
      ({ path, caller, input }) =>
        maps.tile(ownerOf(path, caller), () => readTile(path), mapFilterOf(input, clock)),
    ),
    operation(
      {
        ...common,
        id: ids.tileJson,
        path: `${base}/tilejson`,
        summary: `Get a TileJSON of the map of ${whose}, with a signed URL of its tiles`,
        query: tileJsonQuery(fields),
        result: tileJson,
        stream: 'application/json',
      },
      async ({ path, caller, input, resolveUrl }) => {
        const owner = ownerOf(path, caller);
        const { endedAt } = await maps.state(owner);
        await maps.verify(owner, mapFilterOf(validate(z.object(fields), input), clock));
        const given = Object.entries(input).filter(([, text]) => text !== undefined);
        const filter = new URLSearchParams(given as [string, string][]).toString();
        const query = [tileUrls.sign(owner, endedAt), filter]
          .filter((part) => part !== '')
          .join('&');
        const tileUrl = { base: resolveUrl('/').slice(0, -1), query };
        return tileJsonOf(owner, maps.pointsZoom, tileUrl);
      },
    ),
    operation(
      {
        ...common,
        id: ids.clusters,
        path: `${base}/clusters`,
        summary: `Get the clusters of images of ${whose} in an area as GeoJSON, 2,000 at most`,
        query: z.object({ ...clusterFields, ...fields }),
        result: clusterCollection,
        stream: geoJson,
      },
      ({ path, caller, input }) =>
        maps.clusters(ownerOf(path, caller), input.bbox, input.zoom, mapFilterOf(input, clock)),
    ),
  ];
};

export const mapOperations = (parts: MapRouteParts): Operation[] => [
  ...operationsOf(kinds.users, parts),
  ...operationsOf(kinds.platforms, parts),
];
