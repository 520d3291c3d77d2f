import assert from 'node:assert/strict';
import { row, rows, type Queryable } from '../src/database/sql.js';
import { selectFilteredTile } from '../src/library/images/map/filtered.sql.js';
import type { MapFilter, MapOwner } from '../src/library/images/map/schemas.js';
import { selectTile } from '../src/library/images/map/tile.sql.js';
import type { Tile } from '../src/library/images/map/cells.js';
import { edgesOfMap, type PlacedImage } from './placed-images.js';
import { Random } from './random.js';
import { tileFeatures } from './vector-tile.js';

/** Options of tiles. */
export const tileOptions = { pointsZoom: 14, zone: 'Asia/Seoul' };

export const random = new Random(29);

/** A city, edges of tiles, and the edges of the map. */
export const spots = [
  ...Array.from({ length: 60 }, (_, n) => ({
    latitude: 37.5 + (n % 11) / 300,
    longitude: 127 + (n % 7) / 200,
  })),
  { latitude: 0, longitude: -90 },
  { latitude: 66.51326044311186, longitude: 90 },
  ...edgesOfMap,
];

const anyTime = (): string => `2025-01-0${1 + random.below(9)}T0${random.below(9)}:00:00Z`;

/** A random image, with or without a location; some are in the trash. */
export const anyImage = (): PlacedImage => ({
  ...(random.below(5) > 0 && random.of(spots)),
  trashed: random.below(4) === 0,
  createdAt: anyTime(),
  ...(random.below(3) > 0 && { takenAt: anyTime() }),
});

export interface Shown {
  readonly count: number;
  /** False if a cluster says that its count is not exact. */
  readonly isExact: boolean;
  readonly newest: readonly string[];
  readonly ids: readonly string[];
}

/** The sum of what all tiles with places show at a zoom level. */
export async function shownBy(
  tx: Queryable,
  owner: MapOwner,
  z: number,
  filter?: MapFilter,
): Promise<Shown> {
  const column = owner.kind === 'users' ? 'p.user_id' : 'u.platform_id';
  const tiles = await rows<Tile>(
    tx,
    `SELECT DISTINCT ${z}::integer AS z, map_x(location) >> ${26 - z} AS x, map_y(location) >> ${26 - z} AS y
     FROM places p JOIN users u ON u.id = p.user_id WHERE ${column} = $1`,
    [owner.id],
  );
  const shown = { count: 0, isExact: true, newest: [] as string[], ids: [] as string[] };
  for (const tile of tiles) {
    const bytes = filter
      ? await selectFilteredTile(tx, owner, tile, filter, tileOptions)
      : await selectTile(tx, owner, tile, tileOptions);
    assert.ok((bytes?.length ?? 0) <= 100_000);
    for (const { layer, x, y, properties } of bytes ? tileFeatures(bytes) : []) {
      assert.ok(x >= 0 && x < 4096 && y >= 0 && y < 4096, `${x} ${y}`);
      shown.count += layer === 'images' ? 1 : Number(properties.count);
      if (properties.count_is_exact === false) shown.isExact = false;
      (layer === 'images' ? shown.ids : shown.newest).push(String(properties.image_id));
    }
  }
  return shown;
}

/** The SQL condition for the images that the owner's map shows. */
export const onMap = (owner: MapOwner): string =>
  `${owner.kind === 'users' ? 'user_id' : 'platform_id'} = '${owner.id}'
   AND location IS NOT NULL AND deleted_at IS NULL`;

export async function countOf(tx: Queryable, condition: string): Promise<number> {
  const sql = `SELECT count(*)::integer AS count FROM images i WHERE ${condition}`;
  return (await row<{ count: number }>(tx, sql))?.count ?? NaN;
}
