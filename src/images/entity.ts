import { EntitySchema } from 'typeorm';
import type { Point } from 'typeorm';
import type { ImageFormat } from '../imaging/port.js';

export type UploadType = 'camera' | 'gallery' | 'request';

/** What is known of the bytes of one version. */
export interface VersionFacts {
  format: ImageFormat;
  extension: string;
  /** null: the stored bytes are shown as they are. */
  displayExtension: string | null;
  thumbExtension: string;
  /** SHA-256, 32 bytes. */
  hash: Buffer;
  bytes: number;
  width: number;
  height: number;
  /** The picture breaks off: its last part is missing. */
  isIncomplete: boolean;
}

export interface ImageVersion extends VersionFacts {
  id: string;
  platformId: string;
  userId: string;
  imageId: string;
  /** 0 for the upload, n for the nth edit. */
  version: number;
  createdAt: Date;
}

/** The row of an image; the facts of its current version are repeated in it. */
export interface Image extends VersionFacts {
  id: string;
  platformId: string;
  userId: string;
  folderId: string | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  takenAt: Date | null;
  uploadType: UploadType;
  /** GeoJSON: longitude before latitude. */
  location: Point | null;
  addressRoad: string | null;
  addressLand: string | null;
  addressLandNumber: string | null;
  buildingName: string | null;
  addressSort: string | null;
  addressDet: string | null;
  hasDet: boolean | null;
  isShared: boolean;
  isSigned: boolean;
  versionId: string;
  version: number;
  filename: string;
  thumbhash: Buffer;
  originalExtension: string;
  originalBytes: number;
  edits: number;
  editBytes: number;
}

const versionColumns = {
  format: { type: 'text' },
  extension: { type: 'text' },
  displayExtension: { name: 'display_extension', type: 'text', nullable: true },
  thumbExtension: { name: 'thumb_extension', type: 'text' },
  hash: { type: 'bytea' },
  bytes: { type: 'bigint' },
  width: { type: 'integer' },
  height: { type: 'integer' },
  isIncomplete: { name: 'is_incomplete', type: 'boolean' },
} as const;

const ownerColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  userId: { name: 'user_id', type: 'uuid' },
} as const;

export const ImageVersionEntity = new EntitySchema<ImageVersion>({
  name: 'image_version',
  tableName: 'image_versions',
  columns: {
    ...ownerColumns,
    ...versionColumns,
    imageId: { name: 'image_id', type: 'uuid' },
    version: { type: 'integer' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});

export const ImageEntity = new EntitySchema<Image>({
  name: 'image',
  tableName: 'images',
  columns: {
    ...ownerColumns,
    ...versionColumns,
    folderId: { name: 'folder_id', type: 'uuid', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', nullable: true },
    takenAt: { name: 'taken_at', type: 'timestamptz', nullable: true },
    uploadType: { name: 'upload_type', type: 'text' },
    location: { type: 'geography', spatialFeatureType: 'Point', srid: 4326, nullable: true },
    addressRoad: { name: 'address_road', type: 'text', nullable: true },
    addressLand: { name: 'address_land', type: 'text', nullable: true },
    addressLandNumber: { name: 'address_land_number', type: 'text', nullable: true },
    buildingName: { name: 'building_name', type: 'text', nullable: true },
    addressSort: { name: 'address_sort', type: 'text', nullable: true },
    addressDet: { name: 'address_det', type: 'text', nullable: true },
    hasDet: { name: 'has_det', type: 'boolean', nullable: true },
    isShared: { name: 'is_shared', type: 'boolean' },
    isSigned: { name: 'is_signed', type: 'boolean' },
    versionId: { name: 'version_id', type: 'uuid' },
    version: { type: 'integer' },
    filename: { type: 'text' },
    thumbhash: { type: 'bytea' },
    originalExtension: { name: 'original_extension', type: 'text' },
    originalBytes: { name: 'original_bytes', type: 'bigint' },
    edits: { type: 'integer' },
    editBytes: { name: 'edit_bytes', type: 'bigint' },
  },
});
