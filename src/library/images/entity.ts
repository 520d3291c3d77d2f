import { EntitySchema } from 'typeorm';
import { entityOf, now, type RowOf } from '../../database/columns.js';
import type { ImageFormat } from '../../imaging/port.js';

export type UploadType = 'camera' | 'gallery' | 'request';

/** Properties of the bytes of one version. */
const attributeColumns = {
  format: { type: 'text' },
  extension: { type: 'text' },
  /** null: the stored bytes are displayed as they are. */
  displayExtension: { name: 'display_extension', type: 'text', nullable: true },
  thumbExtension: { name: 'thumb_extension', type: 'text' },
  /** SHA-256, 32 bytes. */
  hash: { type: 'bytea' },
  bytes: { type: 'bigint' },
  width: { type: 'integer' },
  height: { type: 'integer' },
  /** The image is cut off: its last part is missing. */
  isIncomplete: { name: 'is_incomplete', type: 'boolean', default: false },
} as const;

const ownerColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  userId: { name: 'user_id', type: 'uuid' },
} as const;

/**
 * The address of an image. A text that is added here, to `addressFields` in schemas.ts, and by a
 * migration is stored, updated, returned, and exported like the others (docs/adr/0011).
 */
export const addressColumns = {
  addressRoad: { name: 'address_road', type: 'text', nullable: true },
  addressLand: { name: 'address_land', type: 'text', nullable: true },
  addressLandNumber: { name: 'address_land_number', type: 'text', nullable: true },
  buildingName: { name: 'building_name', type: 'text', nullable: true },
  addressSort: { name: 'address_sort', type: 'text', nullable: true },
  addressDet: { name: 'address_det', type: 'text', nullable: true },
} as const;

/**
 * What came with the file of an image, or was told of it since: each is read from the file, unless a
 * field of a request says otherwise (docs/adr/0020).
 */
export const cameraColumns = {
  /** The name that the file came with. */
  originalName: { name: 'original_name', type: 'text', nullable: true },
  /** Degrees from north, 0 to less than 360. */
  direction: { type: 'double precision', nullable: true },
  /** Meters above sea level. */
  altitudeM: { name: 'altitude_m', type: 'double precision', nullable: true },
  /** Meters by which the location may be off, horizontally. */
  accuracyM: { name: 'accuracy_m', type: 'double precision', nullable: true },
  /** Make and model. */
  camera: { type: 'text', nullable: true },
} as const;

export const versionColumns = {
  ...ownerColumns,
  imageId: { name: 'image_id', type: 'uuid' },
  /** 0 for the upload, n for the nth edit. */
  version: { type: 'integer' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  ...attributeColumns,
  /** The name that the file of this version came with. */
  originalName: cameraColumns.originalName,
  /** Of the whole picture as any browser shows it; null: not made yet, or never needed. */
  fullExtension: { name: 'full_extension', type: 'text', nullable: true },
} as const;

export const imageColumns = {
  ...ownerColumns,
  folderId: { name: 'folder_id', type: 'uuid', nullable: true },
  createdAt: { name: 'created_at', type: 'timestamptz' },
  updatedAt: { name: 'updated_at', type: 'timestamptz', default: now },
  uploadedAt: { name: 'uploaded_at', type: 'timestamptz', default: now },
  deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
  /** The folder that the image was trashed with. */
  trashedWith: { name: 'trashed_with', type: 'uuid', nullable: true },
  takenAt: { name: 'taken_at', type: 'timestamptz', nullable: true },
  uploadType: { name: 'upload_type', type: 'text' },
  location: { type: 'geography', spatialFeatureType: 'Point', srid: 4326, nullable: true },
  ...addressColumns,
  hasDet: { name: 'has_det', type: 'boolean', nullable: true },
  isShared: { name: 'is_shared', type: 'boolean', default: false },
  isSigned: { name: 'is_signed', type: 'boolean', default: false },
  versionId: { name: 'version_id', type: 'uuid' },
  version: { type: 'integer', default: 0 },
  filename: { type: 'text', collation: 'korean_numeric' },
  /** Copied from the current version, so that a page of images takes one read. */
  ...attributeColumns,
  thumbhash: { type: 'bytea' },
  originalExtension: { name: 'original_extension', type: 'text' },
  originalBytes: { name: 'original_bytes', type: 'bigint' },
  edits: { type: 'integer', default: 0 },
  editBytes: { name: 'edit_bytes', type: 'bigint', default: 0 },
  /** The upload set that the image was uploaded to; it may have been deleted since. */
  uploadSetId: { name: 'upload_set_id', type: 'uuid', nullable: true },
  ...cameraColumns,
  /**
   * Of an image from before its file was read for these: columns that the job `read metadata` may still
   * fill. Null if there is nothing left to read.
   */
  unreadFields: { name: 'unread_fields', type: 'text', array: true, nullable: true },
} as const;

/** The possible values of text columns with a closed set, where the column's type says less. */
interface Words {
  format: ImageFormat;
  uploadType: UploadType;
}
export type Worded<Row> = Omit<Row, keyof Words> & Pick<Words, keyof Words & keyof Row>;

export type VersionAttributes = Worded<RowOf<typeof attributeColumns>>;
export type ImageVersion = Worded<RowOf<typeof versionColumns>>;
export type Image = Worded<RowOf<typeof imageColumns>>;

export const ImageVersionEntity = new EntitySchema<ImageVersion>({
  name: 'image_version',
  tableName: 'image_versions',
  columns: versionColumns,
});

export const ImageEntity = new EntitySchema<Image>({
  name: 'image',
  tableName: 'images',
  columns: imageColumns,
});

const archiveColumns = {
  id: { type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  filter: { type: 'jsonb' },
  imageIds: { name: 'image_ids', type: 'uuid', array: true, nullable: true },
  ledger: { type: 'jsonb', nullable: true },
  token: { type: 'jsonb' },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
} as const;

/** An address of an archive or a ledger. */
export const ArchiveEntity = entityOf('archives', archiveColumns);
