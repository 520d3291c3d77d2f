import type { EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ServiceError, missingField } from '../../../base/errors/catalogue.js';
import { uploadBytes } from '../../../base/telemetry/metrics.js';
import { WallClock } from '../../../base/time.js';
import { minuteMs } from '../../../base/units.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Queryable } from '../../../database/sql.js';
import { parseFolderTarget } from '../../../http/request-fields.js';
import type { ReceivedFile } from '../../../http/upload.js';
import {
  type CameraData,
  extensionOf,
  type Imaging,
  type ProcessedImage,
} from '../../../imaging/port.js';
import {
  objectsOf,
  type ObjectRole,
  type VersionId,
  type VersionObject,
} from '../../../store/object-key.js';
import type { NewObject, ObjectStore } from '../../../store/port.js';
import type { Annotations } from '../../annotations/annotations.js';
import { assertFolderOpen } from '../../tree/tree.js';
import type { Usage } from '../../quota/usage.js';
import { queueKeys, unqueueKeys } from '../../reclaim/reclaim.js';
import { folderOfSet } from '../../upload-sets/upload-sets.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import type { VersionAttributes } from '../entity.js';
import { lockImage, selectImage, type EditableRow, type ImageRow } from '../images.sql.js';
import { originalName } from '../original-name.js';
import { addressOf, cameraOf } from '../schemas.js';
import type { StoredImage } from '../images.js';
import type { FiledataFields, UploadFields } from './schemas.js';
import { insertImage, insertVersion, setCurrentVersion, type NewImage } from './upload.sql.js';

/** The owner of the image. */
export interface ImageOwner {
  readonly platformId: string;
  readonly userId: string;
}

/** What is written as a version. */
interface Writing {
  readonly file: ReceivedFile;
  readonly id: VersionId;
  readonly terms: UploadTerms | undefined;
}

/** A version whose objects are stored and whose rows are about to be inserted. */
interface StoredUpload {
  readonly version: VersionAttributes;
  readonly processed: ProcessedImage;
}

/** How an upload differs that its owner does not send in one request. */
export interface UploadTerms {
  /** To whom decoding is charged; by default, the owner. */
  readonly caller?: string;
  /** Bytes that the user has announced, so that they count against the quota already. */
  readonly announcedBytes?: number;
  /** Runs in the transaction that inserts the rows, before them, under the user's lock. */
  readonly within?: (tx: EntityManager, imageId: string) => Promise<void>;
}

export interface UploadParts {
  readonly db: Database;
  readonly imaging: Imaging;
  readonly store: ObjectStore;
  readonly usage: Usage;
  readonly annotations: Annotations;
  readonly clock: WallClock;
}

/** Stores new images and new versions of images. */
export class Uploads {
  constructor(private readonly parts: UploadParts) {}

  /** Stores an uploaded file as a new image. */
  async create(
    owner: ImageOwner,
    fields: UploadFields,
    file: ReceivedFile,
    terms?: UploadTerms,
  ): Promise<StoredImage> {
    const place = placeAndMessage(fields);
    const { message } = fields;
    const uploadSetId = setOf(fields);
    const { db, annotations } = this.parts;
    // Fails before the file is decoded.
    if (uploadSetId !== null) await folderOfSet(db, owner.userId, uploadSetId, file.hash);
    const id = uuidv7();
    return await this.#write(
      { file, id: { ...owner, imageId: id, versionId: id }, terms },
      async (tx, arrived) => {
        // Again, since the set may have been deleted in the meantime.
        const folderId = await openTarget(tx, owner.userId, fields, file.hash);
        const about = { id, owner, fields, folderId, uploadSetId, arrived, place };
        const image = this.#newImage({ ...about, originalName: nameOf(fields, file) });
        const row = await insertImage(tx, image);
        if (message) {
          const memo = { userId: owner.userId, imageId: id, message, isClient: false };
          await annotations.addMemo(tx, memo);
        }
        return { row, memos: Boolean(message) };
      },
      message ? Buffer.byteLength(message) : 0,
    );
  }

  /**
   * An early check, before the file is received, of where it is to go. Only what later fields cannot
   * change is checked, and without the user's lock. @throws ServiceError that `create` would throw.
   */
  async assertExpected(
    userId: string,
    fields: UploadFields,
    hash: Buffer | undefined,
  ): Promise<void> {
    const { db } = this.parts;
    const uploadSetId = setOf(fields);
    if (uploadSetId !== null) await folderOfSet(db, userId, uploadSetId, hash);
    const folderId = folderOfUpload(fields.folder_id);
    if (typeof folderId === 'string') await assertFolderOpen(db, userId, folderId);
  }

  /**
   * Verifies what is known of an upload before its file is, in a transaction that holds the user's
   * lock. @throws ServiceError that `create` would throw.
   */
  async assertCreatable(tx: Queryable, userId: string, fields: UploadFields): Promise<void> {
    placeAndMessage(fields);
    const hash =
      fields.image_hash === undefined ? undefined : Buffer.from(fields.image_hash, 'hex');
    await openTarget(tx, userId, fields, hash);
  }

  /** Stores an uploaded file as the next version of an image. @returns the image as it is then. */
  async addVersion(
    owner: ImageOwner,
    imageId: string,
    fields: FiledataFields,
    file: ReceivedFile,
    terms?: UploadTerms,
  ): Promise<ImageRow> {
    const versionId = uuidv7();
    const writing = { file, id: { ...owner, imageId, versionId }, terms };
    return await this.#write(writing, async (tx, arrived) => {
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
        originalName: nameOf(fields, file),
        fullExtension: null,
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
        },
      );
      // Read in this transaction, since another edit may follow right after it.
      const row = await selectImage(tx, owner.userId, imageId);
      if (!row) throw new Error('an image that is locked has gone');
      return row;
    });
  }

  /** An early check, before the file is received. */
  async assertEditable(
    userId: string,
    imageId: string,
    db: Queryable = this.parts.db,
  ): Promise<void> {
    assertEditable(isUuid(imageId) ? await lockImage(db, userId, imageId) : undefined);
  }

  /**
   * Stores a file and inserts its rows so that at every instant each object is either referenced by
   * a row or listed in object_reclaim (docs/adr/0002): list the keys, put the objects, then in one
   * transaction charge the quota, insert the rows, and take the keys off the list.
   * @param save inserts the rows. @param textBytes of memos that `save` adds.
   * @throws ServiceError of the imaging port, `storage_quota_exceeded`,
   *   `platform_limit_exceeded`, and whatever `save` throws; objects stored by then are left to the reclaim job.
   */
  async #write<T>(
    { file, id, terms = {} }: Writing,
    save: (tx: EntityManager, arrived: StoredUpload) => Promise<T>,
    textBytes = 0,
  ): Promise<T> {
    const processed = await this.parts.imaging.process(file, terms.caller ?? id.userId);
    const version = versionAttributes(file, processed);
    const objects = newObjects(
      file,
      processed,
      objectsOf({ ...id, ...version, fullExtension: null }),
    );
    const keys = objects.map(({ key }) => key);
    await queueKeys(this.parts.db, keys);
    await this.parts.store.put(objects);
    const images = id.versionId === id.imageId ? 1 : 0;
    const insert = async (tx: EntityManager): Promise<T> => {
      const more = file.bytes + textBytes - (terms.announcedBytes ?? 0);
      await this.parts.usage.reserve(tx, id.userId, more, images);
      await terms.within?.(tx, id.imageId);
      const saved = await save(tx, { processed, version });
      if (!(await unqueueKeys(tx, keys))) {
        // The upload took longer than the grace period of its keys, so its objects may be gone.
        throw new ServiceError('unavailable');
      }
      return saved;
    };
    const saved = await this.parts.usage.platformLimits.retrying(() =>
      this.parts.db.transaction(insert),
    );
    uploadBytes.of(version.format, images ? 'image' : 'edit').observe(file.bytes);
    return saved;
  }

  #newImage({
    id,
    owner,
    fields,
    folderId,
    uploadSetId,
    arrived: { version, processed },
    place: coordinates,
    originalName,
  }: {
    id: string;
    owner: ImageOwner;
    fields: UploadFields;
    folderId: string | null;
    uploadSetId: string | null;
    arrived: StoredUpload;
    place: ReturnType<typeof readCoordinates>;
    originalName: string | null;
  }): NewImage {
    const now = new Date();
    const createdAt = fields.created_at ?? now;
    const own = {
      id,
      folderId,
      uploadSetId,
      createdAt,
      takenAt: takenAt(processed, this.parts.clock),
      uploadType: fields.upload_type,
      location: toPoint(coordinates ?? processed.coordinates),
      originalName,
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
    const said = Object.assign(addressOf(fields), knownOf(processed, cameraOf(fields)));
    // Not spread: V8 takes a quarter of a millisecond for that, twenty times as long.
    return Object.assign(own, owner, version, said);
  }

  /** `{server_time}_{created_at}_{image_hash}_{image_version}.{image_type}` */
  #filename(now: Date, createdAt: Date, attributes: VersionAttributes, version: number): string {
    const { clock } = this.parts;
    const serverTime = clock.formatMillis(now);
    const hash = attributes.hash.toString('hex');
    return `${serverTime}_${clock.format(createdAt)}_${hash}_${version}.${attributes.extension}`;
  }
}

/** The name of the file: what a field says, else what it came with. */
const nameOf = (fields: FiledataFields, file: ReceivedFile): string | null =>
  originalName(fields.original_name === undefined ? file.name : fields.original_name);

/** What the camera knew: what fields say, else what the file says. */
const knownOf = (
  { direction, altitude, accuracy, camera }: CameraData,
  given: ReturnType<typeof cameraOf>,
) => ({
  direction: given.direction === undefined ? (direction ?? null) : given.direction,
  altitudeM: given.altitudeM === undefined ? (altitude ?? null) : given.altitudeM,
  accuracyM: given.accuracyM === undefined ? (accuracy ?? null) : given.accuracyM,
  camera: given.camera === undefined ? (camera ?? null) : given.camera,
});

/** The place that the fields name. @throws ServiceError `missing_field`, `invalid_field`. */
function placeAndMessage(fields: UploadFields): ReturnType<typeof readCoordinates> {
  const place = readCoordinates(fields);
  if (fields.is_shared && !fields.message) throw missingField('message');
  return place;
}

const setOf = ({ upload_set_id: id }: UploadFields): string | null =>
  id?.trim().toLowerCase() ?? null;

/**
 * The folder that an upload goes to, null for the top level. The caller must hold the user's lock.
 * @param hash of the file, if it is known. @throws ServiceError `upload_set_not_found`,
 * `not_expected`, `folder_not_found`, `folder_in_trash`.
 */
async function openTarget(
  tx: Queryable,
  userId: string,
  fields: UploadFields,
  hash: Buffer | undefined,
): Promise<string | null> {
  const setId = setOf(fields);
  const inSet = setId === null ? null : await folderOfSet(tx, userId, setId, hash);
  const target = folderOfUpload(fields.folder_id);
  const folderId = target === undefined ? inSet : target;
  if (folderId !== null) await assertFolderOpen(tx, userId, folderId);
  return folderId;
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

/** The current paths of a version's object files. */
function newObjects(
  file: ReceivedFile,
  { display, thumb }: ProcessedImage,
  objects: readonly VersionObject[],
): NewObject[] {
  const paths: Partial<Record<ObjectRole, string | undefined>> = {
    original: file.path,
    display: display?.path,
    thumb: thumb.path,
  };
  return objects.flatMap(({ role, key }) => {
    const path = paths[role];
    if (path === undefined) return [];
    return [role === 'original' ? { key, path, sha256: file.hash.toString('hex') } : { key, path }];
  });
}

const versionAttributes = (file: ReceivedFile, processed: ProcessedImage): VersionAttributes => ({
  format: processed.format,
  extension: extensionOf[processed.format],
  displayExtension: processed.display?.extension ?? null,
  thumbExtension: processed.thumb.extension,
  hash: file.hash,
  bytes: file.bytes,
  width: processed.width,
  height: processed.height,
  isIncomplete: processed.incomplete,
});

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
