import { entityOf } from '../../database/columns.js';

// Tables that triggers keep exact: totals, counts by range, texts, places, and cells of the map.

/** Sums of the images at a place or in a cell of the map. */
export const imageSumColumns = {
  activeImages: { name: 'active_images', type: 'integer' },
  trashedImages: { name: 'trashed_images', type: 'integer' },
  activeBytes: { name: 'active_bytes', type: 'bigint' },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint' },
} as const;

/** A location of a user's images: kept by triggers on images (docs/adr/0013). */
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

export const PlaceEntity = entityOf('places', placeColumns);

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

export const MapCellEntity = entityOf('map_cells', mapCellColumns);

/**
 * Sums of the cells of a platform's users in the tile zoom/x/y, without the changes that are not
 * added yet.
 */
const platformCellColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  zoom: { type: 'smallint', primary: true },
  cell: { type: 'bigint', primary: true },
  x: { type: 'integer' },
  y: { type: 'integer' },
  activeImages: { name: 'active_images', type: 'integer' },
  ...newestColumns,
} as const;

export const PlatformCellEntity = entityOf('platform_cells', platformCellColumns);

/** What has to be added to the cells of a platform; noted by triggers on map_cells. */
const platformCellChangeColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  /** Of zoom 26. */
  cell: { type: 'bigint', primary: true },
  id: { type: 'bigint', primary: true, generated: true },
  activeImages: { name: 'active_images', type: 'integer' },
  activeAt: { name: 'active_at', type: 'timestamptz', nullable: true },
  /** May be the newest image there. */
  activeId: { name: 'active_id', type: 'uuid', nullable: true },
} as const;

export const PlatformCellChangeEntity = entityOf(
  'platform_cell_changes',
  platformCellChangeColumns,
);

/** Numbers of images and the bytes of their current versions, in and out of the trash. */
export const totalColumns = {
  activeImages: { name: 'active_images', type: 'integer', default: 0 },
  trashedImages: { name: 'trashed_images', type: 'integer', default: 0 },
  activeBytes: { name: 'active_bytes', type: 'bigint', default: 0 },
  trashedBytes: { name: 'trashed_bytes', type: 'bigint', default: 0 },
} as const;

/** The states by which a user's totals are kept. */
export const imageTotalKey = {
  userId: { name: 'user_id', type: 'uuid', primary: true },
  /** `true`, `false`, or `none`. */
  hasDet: { name: 'has_det', type: 'text', primary: true },
  located: { type: 'boolean', primary: true },
  inFolder: { name: 'in_folder', type: 'boolean', primary: true },
} as const;

const imageTotalColumns = { ...imageTotalKey, ...totalColumns } as const;

/** Kept by triggers on images (docs/adr/0003). */
export const ImageTotalEntity = entityOf('image_totals', imageTotalColumns);

const folderTotalColumns = {
  folderId: { name: 'folder_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  ...totalColumns,
} as const;

/** Totals of the images directly in a folder; kept by triggers on images (docs/adr/0003). */
export const FolderTotalEntity = entityOf('folder_totals', folderTotalColumns);

/** Texts of images as searches compare them, kept by a trigger (docs/adr/0014). */
const imageTextColumns = {
  imageId: { name: 'image_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  filename: { type: 'text' },
  /** All address fields, separated by U+001F; null if none is given. */
  address: { type: 'text', nullable: true },
} as const;

export const ImageTextEntity = entityOf('image_texts', imageTextColumns);
