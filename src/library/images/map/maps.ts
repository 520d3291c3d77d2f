import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../../base/errors/catalogue.js';
import type { WallClock } from '../../../base/time.js';
import { type Queryable, row } from '../../../database/sql.js';
import type { Claims } from '../../../http/auth/claims.js';
import type { SignedUrls } from '../../../store/signed-url.js';
import { assertFolderExists } from '../../tree/tree.js';
import { folderOfSet } from '../../upload-sets/upload-sets.js';
import { VersionedResponse } from '../../../http/ranged-response.js';
import { dayOf } from '../record.js';
import { type Box, cellZoom, type Tile } from './cells.js';
import { areaOfBox, selectClusters, type ClusterRow } from './clusters.sql.js';
import {
  selectFilteredClusters,
  selectFilteredTile,
  type FilteredCluster,
} from './filtered.sql.js';
import { isFiltered, type ClusterCollection, type MapFilter, type MapOwner } from './schemas.js';
import { selectTile } from './tile.sql.js';

interface MapState {
  readonly version: string;
  /** Of everything that words can find; null for platforms. */
  readonly changes: string | null;
  readonly platformSuspended: boolean;
  readonly userSuspended: boolean;
  /** When links to the map last ended, in seconds since 1970; 0: never. */
  readonly endedAt: number;
}

const keysRevoked = '(SELECT max(revoked_at) FROM signing_keys)';

/** @param times of which the last counts. */
const endedAt = (...times: readonly string[]): string =>
  `coalesce(ceil(extract(epoch FROM greatest(${[...times, keysRevoked].join(', ')}))), 0)::float8`;

/** The state of a map; undefined if there is no such user or platform. */
const selectMapState = (db: Queryable, owner: MapOwner): Promise<MapState | undefined> =>
  owner.kind === 'users'
    ? row(
        db,
        `SELECT u.map_version::text AS version, u.change_seq::text AS changes, p.suspended_at IS NOT NULL AS "platformSuspended",
                u.suspended_at IS NOT NULL AS "userSuspended",
                ${endedAt('u.suspended_at', 'p.suspended_at', 'p.revoked_at')} AS "endedAt"
         FROM users u JOIN platforms p ON p.id = u.platform_id
         WHERE u.id = $1 AND ($2::uuid IS NULL OR u.platform_id = $2)`,
        [owner.id, owner.platformId ?? null],
      )
    : // The sum of a hash of each user's version, which changes with any version and when a user is deleted.
      row(
        db,
        `SELECT p.suspended_at IS NOT NULL AS "platformSuspended", false AS "userSuspended",
                null AS changes, ${endedAt('p.suspended_at', 'p.revoked_at')} AS "endedAt",
                (SELECT coalesce(sum(uuid_hash_extended(u.id, u.map_version)), 0)::text FROM users u
                 WHERE u.platform_id = p.id AND u.map_version > 0) AS version
         FROM platforms p WHERE p.id = $1`,
        [owner.id],
      );

/** Must be incremented when tiles of the same images change. */
const format = 1;

export interface MapParts {
  readonly db: Queryable;
  /** The primary server, which knows the newest folders. */
  readonly source: Queryable;
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
      throw new ServiceError('forbidden', { message: endedUrl });
    }
    return found;
  }

  /** A Mapbox vector tile. @throws ServiceError as `state` does, or as `readTile` does. */
  async tile(owner: MapOwner, readTile: () => Tile, filter: MapFilter): Promise<VersionedResponse> {
    const { db, clock, pointsZoom } = this.parts;
    // Read before the tile: a tile that is newer than its version is merely requested once more.
    const { version, changes } = await this.state(owner);
    const tile = readTile();
    await this.verify(owner, filter);
    const options = { pointsZoom, zone: clock.zoneName };
    const of = (filter.sought ?? filter.camera) ? `${version}-${changes}` : version;
    // The filter is part of the tag, since map libraries also compare the tags of tiles with
    // different URLs.
    return isFiltered(filter)
      ? new VersionedResponse(`"${of}.${this.#made}.${shortHash(filter)}"`, () =>
          selectFilteredTile(db, owner, tile, filter, options),
        )
      : new VersionedResponse(`"${version}.${this.#made}"`, () =>
          selectTile(db, owner, tile, options),
        );
  }

  /** @throws ServiceError `folder_not_found`, `upload_set_not_found`. */
  async verify(owner: MapOwner, { folderId, sought }: MapFilter): Promise<void> {
    const { source } = this.parts;
    if (typeof folderId === 'string') await assertFolderExists(source, owner, folderId);
    const set = sought?.uploadSetId;
    if (set !== undefined) await folderOfSet(source, owner.id, set, undefined);
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
    await this.verify(owner, filter);
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

type Signer = Pick<SignedUrls, 'signAfter' | 'verify'>;

/** The signed text, which cannot be the key of an object. */
const subject = ({ kind, id }: MapOwner): string => `map/${kind}/${id}`;

/** For a URL that was signed before its owner was revoked. */
const endedUrl = 'The tile URL is no longer valid; fetch the TileJSON again for a new one.';

/** Signatures that give access to all tiles of one map until they expire. */
export class TileUrls {
  constructor(private readonly signer: Signer) {}

  /**
   * The query with a signature, the same within a time window. @param ended when URLs of this map
   * last ended, in seconds since 1970.
   */
  sign(owner: MapOwner, ended: number): string {
    const url = this.signer.signAfter(ended, subject(owner));
    return url.slice(url.indexOf('?') + 1);
  }

  /** The claims of the signed URL of a tile. @throws ServiceError `forbidden`. */
  claims(path: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Claims {
    const { user_id: user, platform_id: platform = '' } = path;
    const owner: MapOwner =
      user === undefined
        ? { kind: 'platforms', id: platform.toLowerCase() }
        : { kind: 'users', id: user.toLowerCase() };
    const verdict = this.signer.verify(subject(owner), query);
    if (verdict.state !== 'ok') {
      const message = {
        tampered: 'The tile URL is invalid.',
        expired: 'The tile URL has expired; fetch the TileJSON again for a new one.',
        ended: endedUrl,
      };
      throw new ServiceError('forbidden', { message: message[verdict.state] });
    }
    // All URLs of one map have a share of the service that is not their owner's.
    const token = { typ: 'access', jti: subject(owner), linkedAt: verdict.signedAt } as const;
    return owner.kind === 'users'
      ? { ...token, scope: 'user', userId: owner.id }
      : { ...token, scope: 'platform', platformId: owner.id };
  }
}
