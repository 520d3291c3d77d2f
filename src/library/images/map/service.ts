import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import type { Queryable } from '../../../database/sql.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { VersionedResponse } from '../../../http/conditional-request.js';
import { dayOf } from '../record.js';
import type { WallClock } from '../../../base/time.js';
import type { FolderGuard } from '../folder-guard.js';
import { areaOfBox } from './area.js';
import type { Box } from './box.js';
import { selectClusters, type ClusterRow } from './box.sql.js';
import { isFiltered, type MapFilter } from './filter.js';
import {
  selectFilteredClusters,
  selectFilteredTile,
  type FilteredCluster,
} from './filtered.sql.js';
import { endedLink } from './links.js';
import type { MapOwner } from './owner.js';
import type { ClusterCollection } from './schemas.js';
import { selectTile } from './tile.sql.js';
import { cellZoom, type Tile } from './tile.js';
import { selectMapState, type MapState } from './version.sql.js';

/** Must be incremented when tiles of the same images change. */
const format = 1;

export interface MapParts {
  readonly db: Queryable;
  /** The primary server, which knows the newest folders. */
  readonly source: Queryable;
  readonly folders: Pick<FolderGuard, 'assertExists'>;
  readonly clock: WallClock;
  readonly pointsZoom: number;
}

/** Maps of the images of users and platforms that are not in the trash. */
export class Maps {
  readonly #made: string;

  constructor(private readonly parts: MapParts) {
    const { clock, pointsZoom } = parts;
    this.#made = shortHash([format, pointsZoom, clock.zoneName]);
  }

  get pointsZoom(): number {
    return this.parts.pointsZoom;
  }

  /**
   * @throws ServiceError `user_not_found`; for links, whose owner has not been checked yet,
   *   `platform_suspended`, `user_suspended`, `forbidden`.
   */
  async state(owner: MapOwner): Promise<MapState> {
    const found = isUuid(owner.id) ? await selectMapState(this.parts.db, owner) : undefined;
    if (!found) throw new ServiceError(owner.kind === 'users' ? 'user_not_found' : 'token_revoked');
    if (owner.linkedAt !== undefined && owner.linkedAt <= found.endedAt) {
      if (found.platformSuspended) throw new ServiceError('platform_suspended');
      if (found.userSuspended) throw new ServiceError('user_suspended');
      throw new ServiceError('forbidden', { message: endedLink });
    }
    return found;
  }

  /** A Mapbox vector tile. @throws ServiceError as `state` does, or as `readTile` does. */
  async tile(owner: MapOwner, readTile: () => Tile, filter: MapFilter): Promise<VersionedResponse> {
    const { db, clock, pointsZoom } = this.parts;
    // Read before the tile: a tile that is newer than its version is merely requested once more.
    const { version } = await this.state(owner);
    const tile = readTile();
    await this.#assertFolder(owner, filter);
    const options = { pointsZoom, zone: clock.zoneName };
    // The filter is part of the tag, since map libraries also compare the tags of tiles with
    // different URLs.
    return isFiltered(filter)
      ? new VersionedResponse(`"${version}.${this.#made}.${shortHash(filter)}"`, () =>
          selectFilteredTile(db, owner, tile, filter, options),
        )
      : new VersionedResponse(`"${version}.${this.#made}"`, () =>
          selectTile(db, owner, tile, options),
        );
  }

  /** @throws ServiceError `folder_not_found`. */
  async #assertFolder(owner: MapOwner, { folderId }: MapFilter): Promise<void> {
    if (typeof folderId !== 'string') return;
    await this.parts.folders.assertExists(this.parts.source, owner, folderId);
  }

  /** The clusters in a box. @throws ServiceError as `state` does. */
  async clusters(
    owner: MapOwner,
    box: Box,
    zoom: number,
    filter: MapFilter,
  ): Promise<ClusterCollection> {
    const { db } = this.parts;
    await this.state(owner);
    await this.#assertFolder(owner, filter);
    const area = areaOfBox(box);
    const found: readonly (ClusterRow & Partial<FilteredCluster>)[] = isFiltered(filter)
      ? await selectFilteredClusters(db, owner, area, zoom, filter)
      : await selectClusters(db, owner, area, zoom);
    return {
      type: 'FeatureCollection',
      features: found.map((cluster) => this.#feature(cluster, owner.kind === 'platforms')),
    };
  }

  #feature(
    cluster: ClusterRow & Partial<FilteredCluster>,
    withUser: boolean,
  ): ClusterCollection['features'][number] {
    return {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: coordinatesOf(cluster) },
      properties: {
        count: cluster.count,
        image_id: cluster.active_id,
        latest_created_at: dayOf(this.parts.clock.format(cluster.active_at)),
        ...(cluster.is_complete === false && { count_is_exact: false }),
        ...(withUser && { user_id: cluster.user_id }),
      },
    };
  }
}

const shortHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

/** Longitude and latitude of the middle of a cell of zoom 26, half a meter at the equator. */
function coordinatesOf({ x, y }: { readonly x: number; readonly y: number }): [number, number] {
  const cells = 2 ** cellZoom;
  const up = Math.PI * (1 - (2 * (y + 0.5)) / cells);
  const latitude = (Math.atan(Math.sinh(up)) * 180) / Math.PI;
  return [rounded(((x + 0.5) / cells) * 360 - 180), rounded(latitude)];
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
