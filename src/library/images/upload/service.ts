import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { ServiceError, missingField } from '../../../base/errors/catalogue.js';
import { WallClock } from '../../../base/time.js';
import { minuteMs } from '../../../base/units.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Queryable } from '../../../database/sql.js';
import { ext } from '../../../http/record-fields.js';
import {
  parseFolderTarget,
  clearable,
  identifier,
  oneOf,
  triState,
  wallTime,
} from '../../../http/request-fields.js';
import { type ReceivedFile, fileHashFields } from '../../../http/upload.js';
import type { ProcessedImage } from '../../../imaging/port.js';
import { memoMessage } from '../../annotations/schemas.js';
import type { Annotations } from '../../annotations/service.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import type { VersionAttributes } from '../entity.js';
import type { FolderGuard } from '../../folders/guard.js';
import { lockImage, selectImage, type EditableRow, type ImageRow } from '../images.sql.js';
import { addressOf, addressFields, coordinateFields } from '../schemas.js';
import type { StoredImage } from '../service.js';
import type { StoredUpload, UploadWriter } from './upload-writer.js';
import { insertImage, insertVersion, setCurrentVersion, type NewImage } from './upload.sql.js';

const utc = new WallClock('UTC');

/** Characters of `YYYYMMDD_HHMMSS`; a year out of range has more digits, or a sign. */
const yearOf = (time: Date, clock: WallClock): number => Number(clock.format(time).slice(0, -11));

/**
 * The instant recorded in EXIF. Without an offset, its local time is in the configured zone.
 *
 * @returns null if there is none, or if its year is not from 1 to 9999 in UTC or in that zone.
 */
export function takenAt({ taken }: Pick<ProcessedImage, 'taken'>, clock: WallClock): Date | null {
  if (!taken) return null;
  const { wallTime, offsetMinutes } = taken;
  const instant = (offsetMinutes === undefined ? clock : utc).parse(wallTime);
  if (!instant) return null;
  const time = new Date(instant.getTime() - (offsetMinutes ?? 0) * minuteMs);
  const years = [utc, clock].map((zone) => yearOf(time, zone));
  return years.every((year) => year >= 1 && year <= 9999) ? time : null;
}

/**
 * The check of upload sets that uploads need. Upload sets belong to a higher layer, so `app.ts`
 * injects it.
 */
export interface SetGuard {
  /**
   * Verifies that a set of the user expects a file. If the caller holds the user's lock, the set
   * does not change until the caller's transaction ends.
   *
   * @returns the folder for uploads of the set that name none; null: the top level.
   * @throws ServiceError `upload_set_not_found`, `not_expected`.
   */
  folderFor(db: Queryable, userId: string, setId: string, hash: Buffer): Promise<string | null>;
}

/** Fields of an image upload besides its file. */
export const uploadFields = (clock: WallClock) =>
  z.object({
    folder_id: clearable(identifier).optional().meta({
      description:
        'blank: the top level; empty or absent: the folder of the upload set, if any, or the top level',
    }),
    ...coordinateFields,
    ...addressFields,
    created_at: wallTime(clock).optional(),
    upload_type: oneOf(['camera', 'gallery', 'request']).default('gallery'),
    has_det: triState.optional(),
    is_shared: triState.optional(),
    is_signed: triState.optional(),
    ...fileHashFields,
    upload_set_id: clearable(identifier)
      .optional()
      .meta({ ...ext, description: 'an upload set that expects the file' }),
    message: clearable(memoMessage).optional().meta({
      description: 'required when is_shared is True; stored as a memo',
    }),
  });
type UploadFields = z.output<ReturnType<typeof uploadFields>>;

/** Fields of an edit besides its file. */
export const filedataFields = z.object(fileHashFields);

/** The owner of the image. */
export interface ImageOwner {
  readonly platformId: string;
  readonly userId: string;
}

/** Stores new images and new versions of images. */
export class Uploads {
  constructor(
    private readonly db: Database,
    private readonly uploadWriter: UploadWriter,
    private readonly folders: FolderGuard,
    private readonly annotations: Annotations,
    private readonly clock: WallClock,
    private readonly sets: SetGuard,
  ) {}

  /** Stores an uploaded file as a new image. */
  async create(owner: ImageOwner, fields: UploadFields, file: ReceivedFile): Promise<StoredImage> {
    const place = readCoordinates(fields);
    const { message } = fields;
    if (fields.is_shared && !message) throw missingField('message');
    const uploadSetId = fields.upload_set_id?.trim().toLowerCase() ?? null;
    const folderOfSet = async (db: Queryable): Promise<string | null> =>
      uploadSetId === null ? null : this.sets.folderFor(db, owner.userId, uploadSetId, file.hash);
    await folderOfSet(this.db); // fails before the file is decoded
    const id = uuidv7();
    return await this.uploadWriter.write(
      file,
      { ...owner, imageId: id, versionId: id },
      async (tx, arrived) => {
        const inSet = await folderOfSet(tx); // again, since the set may have been deleted in the meantime
        const target = folderOfUpload(fields.folder_id);
        const folderId = target === undefined ? inSet : target;
        if (folderId !== null) await this.folders.assertOpen(tx, owner.userId, folderId);
        const image = this.#newImage({ id, owner, fields, folderId, uploadSetId, arrived, place });
        const row = await insertImage(tx, image, file.crc32);
        if (message) {
          const memo = { userId: owner.userId, imageId: id, message, isClient: false };
          await this.annotations.addMemo(tx, memo);
        }
        return { row, memos: Boolean(message) };
      },
      message ? Buffer.byteLength(message) : 0,
    );
  }

  /** Stores an uploaded file as the next version of an image. @returns the image as it is then. */
  async addVersion(owner: ImageOwner, imageId: string, file: ReceivedFile): Promise<ImageRow> {
    const versionId = uuidv7();
    return await this.uploadWriter.write(
      file,
      { ...owner, imageId, versionId },
      async (tx, arrived) => {
        const image = await lockImage(tx, owner.userId, imageId);
        assertEditable(image);
        const now = new Date();
        const version = image.edits + 1;
        const attributes = arrived.version;
        await insertVersion(tx, {
          ...owner,
          ...attributes,
          id: versionId,
          imageId,
          version,
          createdAt: now,
          crc32: file.crc32,
        });
        await setCurrentVersion(
          tx,
          { id: imageId, userId: owner.userId },
          {
            ...attributes,
            versionId,
            version,
            edits: version,
            editBytes: image.editBytes + attributes.bytes,
            filename: this.#filename(now, image.createdAt, attributes, version),
            thumbhash: Buffer.from(arrived.processed.thumbhash),
            updatedAt: now,
          },
        );
        // Read in this transaction, since another edit may follow right after it.
        const row = await selectImage(tx, owner.userId, imageId);
        if (!row) throw new Error('an image that is locked has gone');
        return row;
      },
    );
  }

  /** An early check, before the file is received. */
  async assertEditable(userId: string, imageId: string): Promise<void> {
    assertEditable(isUuid(imageId) ? await lockImage(this.db, userId, imageId) : undefined);
  }

  #newImage({
    id,
    owner,
    fields,
    folderId,
    uploadSetId,
    arrived: { version, processed },
    place: coordinates,
  }: {
    id: string;
    owner: ImageOwner;
    fields: UploadFields;
    folderId: string | null;
    uploadSetId: string | null;
    arrived: StoredUpload;
    place: ReturnType<typeof readCoordinates>;
  }): NewImage {
    const now = new Date();
    const createdAt = fields.created_at ?? now;
    return {
      ...owner,
      ...version,
      id,
      folderId,
      uploadSetId,
      createdAt,
      updatedAt: now,
      takenAt: takenAt(processed, this.clock),
      uploadType: fields.upload_type,
      location: toPoint(coordinates ?? processed.coordinates),
      ...addressOf(fields),
      hasDet: fields.has_det ?? null,
      isShared: fields.is_shared ?? false,
      isSigned: fields.is_signed ?? false,
      versionId: id,
      version: 0,
      filename: this.#filename(now, createdAt, version, 0),
      thumbhash: Buffer.from(processed.thumbhash),
      originalExtension: version.extension,
      originalBytes: version.bytes,
      edits: 0,
      editBytes: 0,
    };
  }

  /** `{server_time}_{created_at}_{image_hash}_{image_version}.{image_type}` */
  #filename(now: Date, createdAt: Date, attributes: VersionAttributes, version: number): string {
    const serverTime = this.clock.formatMillis(now);
    const hash = attributes.hash.toString('hex');
    return `${serverTime}_${this.clock.format(createdAt)}_${hash}_${version}.${attributes.extension}`;
  }
}

function assertEditable(image: EditableRow | undefined): asserts image {
  if (!image) throw new ServiceError('image_not_found');
  if (image.trashed) throw new ServiceError('image_in_trash');
}

/** Where an upload goes: as in `parseFolderTarget`, and a word for "nothing" is the top level. */
const folderOfUpload = (folderId: string | null | undefined): string | null | undefined =>
  ['none', 'null'].includes(folderId?.toLowerCase() ?? '')
    ? null
    : parseFolderTarget(folderId ?? undefined);
