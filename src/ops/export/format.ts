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
  readonly original_name: string | null;
}

/**
 * Without what has yet to be read from the file, which an import does by itself.
 * @param fileOf the path of a version in the export.
 */
export function imageLine(
  { record, uploadType, unread, versions }: ExportedImage,
  fileOf: (version: ImageVersion) => string,
  clock: WallClock,
): Partial<ImageLine> {
  const { path_url, org_path_url, thumb_url, filedatas, ...rest } = record;
  void [path_url, org_path_url, thumb_url, filedatas];
  const known = Object.entries(rest).filter(
    ([name, value]) => value !== null || !unread.includes(name),
  );
  return {
    ...Object.fromEntries(known),
    upload_type: uploadType,
    versions: versions.map((one) => ({
      version: one.version,
      id: one.id,
      created_at: clock.format(one.createdAt),
      file: fileOf(one),
      hash: one.hash.toString('hex'),
      bytes: one.bytes,
      format: one.format,
      original_name: one.originalName,
    })),
  };
}

/** Fields of a record that are properties of its feature. */
const shown = [
  'folder_id',
  'created_at',
  'taken_at',
  'delete_at',
  'building_name',
  'has_det',
  'original_name',
  'direction',
  'altitude_m',
  'accuracy_m',
  'camera',
] as const satisfies (keyof ImageRecord)[];

/** An image with coordinates, as GeoJSON (RFC 7946). */
export function feature(record: ImageRecord, file: string) {
  const { id, lat, lng } = record;
  if (lat === null || lng === null) return undefined;
  return {
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { file, ...Object.fromEntries(shown.map((name) => [name, record[name]])) },
  };
}
