import type { ExportedImage } from '../../library/images/export.js';
import type { ImageVersion } from '../../library/images/entity.js';
import type { ImageRecord } from '../../library/images/schemas.js';
import type { WallClock } from '../../base/time.js';

/** Incremented when an earlier version could not import it. */
export const exportFormat = 1;

/** Names of the files of a user's export; the manifest is written last. */
export const exportFiles = {
  manifest: 'export.json',
  folders: 'folders.ndjson',
  images: 'images.ndjson',
  csv: 'images.csv',
  geojson: 'images.geojson',
} as const;

/** Describes a complete export. */
export interface Manifest {
  readonly format: number;
  /** Of this export. */
  readonly id: string;
  readonly made_at: string;
  readonly made_by: string;
  readonly timezone: string;
  readonly user: {
    readonly id: string;
    readonly platform_id: string;
    readonly platform_user_id: string;
  };
  readonly folders: number;
  readonly images: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * A line of images.ndjson: a record without URLs, which grant access until they expire and are then
 * useless.
 */
export interface ImageLine extends Omit<
  ImageRecord,
  'path_url' | 'org_path_url' | 'thumb_url' | 'filedatas'
> {
  readonly upload_type: string;
  readonly versions: readonly VersionLine[];
}

interface VersionLine {
  readonly version: number;
  readonly id: string;
  readonly created_at: string;
  /** Relative to the export. */
  readonly file: string;
  readonly hash: string;
  readonly bytes: number;
  readonly format: string;
}

/** @param fileOf the path of a version in the export. */
export function imageLine(
  { record, uploadType, versions }: ExportedImage,
  fileOf: (version: ImageVersion) => string,
  clock: WallClock,
): ImageLine {
  const { path_url, org_path_url, thumb_url, filedatas, ...rest } = record;
  void [path_url, org_path_url, thumb_url, filedatas];
  return {
    ...rest,
    upload_type: uploadType,
    versions: versions.map((one) => ({
      version: one.version,
      id: one.id,
      created_at: clock.format(one.createdAt),
      file: fileOf(one),
      hash: one.hash.toString('hex'),
      bytes: one.bytes,
      format: one.format,
    })),
  };
}

/** An image with coordinates, as GeoJSON (RFC 7946). */
export function feature(
  { id, lat, lng, folder_id, created_at, taken_at, delete_at, building_name, has_det }: ImageRecord,
  file: string,
) {
  if (lat === null || lng === null) return undefined;
  return {
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { file, folder_id, created_at, taken_at, delete_at, building_name, has_det },
  };
}
