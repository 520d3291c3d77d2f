import { EntitySchema } from 'typeorm';
import type { RowOf } from '../../../database/columns.js';

/** Sums of the images at a place or in a cell of the map. */
export const imageSumColumns = {
  activeImages: { name: 'active_images', type: 'integer' },
  trashedImages: { name: 'trashed_images', type: 'integer' },
  activeBytes: { name: 'active_bytes', type: 'bigint' },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint' },
} as const;

/** A location of a user's images: kept by triggers on images (docs/adr/0027). */
const placeColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  /** The cell of zoom 26: its x and y, interleaved bit by bit. */
  cell: { type: 'bigint', primary: true },
  location: { type: 'geography', spatialFeatureType: 'Point', srid: 4326, primary: true },
  ...imageSumColumns,
  /** The newest image that is not in the trash. */
  activeAt: { name: 'active_at', type: 'timestamptz', nullable: true },
  activeId: { name: 'active_id', type: 'uuid', nullable: true },
  /** The newest image in the trash. */
  trashedAt: { name: 'trashed_at', type: 'timestamptz', nullable: true },
  trashedId: { name: 'trashed_id', type: 'uuid', nullable: true },
  /** No image there was uploaded after this. */
  uploadedAt: { name: 'uploaded_at', type: 'timestamptz' },
} as const;

export const PlaceEntity = new EntitySchema<RowOf<typeof placeColumns>>({
  name: 'place',
  tableName: 'places',
  columns: placeColumns,
  indices: [
    {
      name: 'places_active',
      columns: ['userId', 'activeAt', 'activeId'],
      where: 'active_id IS NOT NULL',
    },
    {
      name: 'places_trashed',
      columns: ['userId', 'trashedAt', 'trashedId'],
      where: 'trashed_id IS NOT NULL',
    },
    { name: 'places_uploaded', columns: ['userId', 'uploadedAt'] },
  ],
});

export const cellSumColumns = {
  places: { type: 'integer' },
  activePlaces: { name: 'active_places', type: 'integer' },
  trashedPlaces: { name: 'trashed_places', type: 'integer' },
  ...imageSumColumns,
} as const;

/** The newest image of a cell that is not in the trash. */
export const newestColumns = {
  activeAt: { name: 'active_at', type: 'timestamptz', nullable: true },
  activeId: { name: 'active_id', type: 'uuid', nullable: true },
  /** Its location, as a cell of zoom 26. */
  activeCell: { name: 'active_cell', type: 'bigint', nullable: true },
} as const;

/** Sums of a user's places in the tile zoom/x/y of a Web Mercator map; kept by the same triggers. */
const mapCellColumns = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  zoom: { type: 'smallint', primary: true },
  /** The first cell of zoom 26 in the tile. */
  cell: { type: 'bigint', primary: true },
  x: { type: 'integer' },
  y: { type: 'integer' },
  ...cellSumColumns,
  ...newestColumns,
} as const;

export const MapCellEntity = new EntitySchema<RowOf<typeof mapCellColumns>>({
  name: 'map_cell',
  tableName: 'map_cells',
  columns: mapCellColumns,
  indices: [{ name: 'map_cells_platform', columns: ['platformId', 'zoom', 'cell'] }],
});
