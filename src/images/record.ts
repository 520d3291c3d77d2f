import type { MaybeBatched } from '../paging/batches.js';
import { toFields } from '../database/columns.js';
import type { ObjectStore } from '../store/port.js';
import { objectKey } from '../store/object-key.js';
import type { VersionId } from '../store/object-key.js';
import type { WallClock } from '../time.js';
import { addressColumns } from './entity.js';
import type { ImageVersion, VersionAttributes } from './entity.js';
import type { ImageRow } from './queries.js';
import type { FiledataRecord, ImageRecord } from './schemas.js';
import { toMegabytes } from '../units.js';

/** An image record whose arrays may come in batches. */
export type BatchedImageRecord = MaybeBatched<ImageRecord>;

/** What an image record includes besides the image; null if not requested. */
export type IncludedRecords = Pick<BatchedImageRecord, 'memos' | 'customs' | 'filedatas'>;

/** Makes URLs of the store absolute, based on the current request. */
export type ResolveUrl = (address: string) => string;

const addressOf = toFields(addressColumns);

/** Converts rows to the records of the API. */
export class ImageRecords {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: WallClock,
  ) {}

  image(row: ImageRow, included: IncludedRecords, resolveUrl: ResolveUrl): BatchedImageRecord {
    const upload = this.#id(row, row.id);
    const current = this.#id(row, row.versionId);
    const megabytes = toMegabytes(row.bytes);
    return {
      id: row.id,
      user_id: row.userId,
      folder_id: row.folderId,
      filename: row.filename,
      path_url: resolveUrl(this.#display(current, row)),
      org_path_url: resolveUrl(
        this.store.sign(objectKey(upload, 'original', row.originalExtension)),
      ),
      lat: row.lat,
      lng: row.lng,
      ...addressOf(row),
      created_at: this.clock.format(row.createdAt),
      updated_at: this.clock.format(row.updatedAt),
      delete_at: row.deletedAt && this.clock.format(row.deletedAt),
      filedata_total: row.edits,
      is_signed: row.isSigned,
      is_shared: row.isShared,
      has_det: row.hasDet,
      image_resource_type: row.format,
      resolution: resolution(row),
      filesize_mb: megabytes,
      image_filesize_mb: megabytes,
      ...included,
      thumb_url: resolveUrl(this.store.sign(objectKey(current, 'thumb', row.thumbExtension))),
      thumbhash: row.thumbhash.toString('base64'),
      hashdata: row.hash.toString('hex'),
      taken_at: row.takenAt && this.clock.format(row.takenAt),
      is_incomplete: row.isIncomplete,
    };
  }

  filedata(version: ImageVersion, resolveUrl: ResolveUrl): FiledataRecord {
    return {
      original_image_id: version.imageId,
      id: version.id,
      path_url: resolveUrl(
        this.#display({ ...this.#id(version, version.id), imageId: version.imageId }, version),
      ),
      created_at: this.clock.format(version.createdAt),
      hashdata: version.hash.toString('hex'),
      filesize_mb: toMegabytes(version.bytes),
      image_resource_type: version.format,
      resolution: resolution(version),
      is_incomplete: version.isIncomplete,
    };
  }

  /** The day of an instant, as in the records: `YYYYMMDD`. */
  day(instant: Date): number {
    return dayOf(this.clock.format(instant));
  }

  #id(owner: { platformId: string; userId: string; id: string }, versionId: string): VersionId {
    return { platformId: owner.platformId, userId: owner.userId, imageId: owner.id, versionId };
  }

  /** URL of what a browser displays: the rendition, or the stored bytes if none was needed. */
  #display(id: VersionId, attributes: VersionAttributes): string {
    return this.store.sign(
      attributes.displayExtension === null
        ? objectKey(id, 'original', attributes.extension)
        : objectKey(id, 'display', attributes.displayExtension),
    );
  }
}

/** The day of a time in a record. */
export const dayOf = (time: string): number => Number(time.slice(0, 8));

const resolution = ({ width, height }: VersionAttributes): string => `${width}x${height}`;
