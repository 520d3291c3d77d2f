import type { EntityManager } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ServiceError, missingField } from '../../../base/errors/catalogue.js';
import { uploadBytes } from '../../../base/telemetry/metrics.js';
import type { WallClock } from '../../../base/time.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Queryable } from '../../../database/sql.js';
import type { Claims } from '../../../http/auth/claims.js';
import { parseFolderTarget } from '../../../http/request-fields.js';
import type { ReceivedFile } from '../../../http/upload.js';
import type { Imaging, ProcessedImage } from '../../../imaging/port.js';
import { objectsOf, type VersionId } from '../../../store/object-key.js';
import type { ObjectStore } from '../../../store/port.js';
import type { Annotations } from '../../annotations/annotations.js';
import { assertFolderOpen } from '../../tree/tree.js';
import type { Usage } from '../../quota/usage.js';
import { queueKeys, unqueueKeys } from '../../reclaim/reclaim.js';
import { folderOfSet } from '../../upload-sets/upload-sets.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import type { VersionAttributes } from '../entity.js';
import { lockImage, selectImage, type EditableRow, type ImageRow } from '../images.sql.js';
import { addressOf, cameraOf } from '../schemas.js';
import type { StoredImage } from '../images.js';
import { knownOf, nameOf, newObjects, takenAt, versionAttributes } from './received.js';
import type { Refusals } from './refusals.js';
import type { FiledataFields, UploadFields } from './schemas.js';
import { insertImage, insertVersion, setCurrentVersion, type NewImage } from './upload.sql.js';

/** The key of the custom that names a visitor. */
const senderKey = 'sender';

/** The owner of the image. */
export interface ImageOwner {
  readonly platformId: string;
  readonly userId: string;
}

/** The ids in a user token. */
export const ownerIn = ({ platformId = '', userId = '' }: Claims): ImageOwner => ({
  platformId,
  userId,
});

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
  /** What a visitor says of who sends it: a custom of the new image. */
  readonly sender?: string | undefined;
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
  readonly refusals: Pick<Refusals, 'note'>;
}

/** Stores new images and new versions of images. */
export class Uploads {
  constructor(private readonly parts: UploadParts) {}

  /** Stores an uploaded file as a new image; a refusal is noted in the audit. */
  create(
    owner: ImageOwner,
    ...upload: [fields: UploadFields, file: ReceivedFile, terms?: UploadTerms]
  ): Promise<StoredImage> {
    return this.#create(owner, ...upload).catch((error: unknown) => this.refused(owner, error));
  }

  /** Notes that an upload was refused before its file was there. @throws the error. */
  refused(owner: ImageOwner, error: unknown): Promise<never> {
    return this.parts.refusals.note(owner, error);
  }

  async #create(
    owner: ImageOwner,
    fields: UploadFields,
    file: ReceivedFile,
    terms?: UploadTerms,
  ): Promise<StoredImage> {
    const place = placeAndMessage(fields);
    const { message } = fields;
    const sender = terms?.sender;
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
        if (sender !== undefined) {
          const image = { userId: owner.userId, imageId: id };
          await annotations.addCustom(tx, image, { key: senderKey, value: sender });
        }
        return { row, memos: Boolean(message) };
      },
      Buffer.byteLength((message ?? '') + (sender === undefined ? '' : senderKey + sender)),
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
  addVersion(
    owner: ImageOwner,
    ...version: [imageId: string, fields: FiledataFields, file: ReceivedFile, terms?: UploadTerms]
  ): Promise<ImageRow> {
    return this.#addVersion(owner, ...version).catch((error: unknown) =>
      this.refused(owner, error),
    );
  }

  async #addVersion(
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

  #newImage(about: {
    id: string;
    owner: ImageOwner;
    fields: UploadFields;
    folderId: string | null;
    uploadSetId: string | null;
    arrived: StoredUpload;
    place: ReturnType<typeof readCoordinates>;
    originalName: string | null;
  }): NewImage {
    const { id, owner, fields, folderId, uploadSetId, place, originalName } = about;
    const { version, processed } = about.arrived;
    const now = new Date();
    const createdAt = fields.created_at ?? now;
    const own = {
      id,
      folderId,
      uploadSetId,
      createdAt,
      takenAt: takenAt(processed, this.parts.clock),
      uploadType: fields.upload_type,
      location: toPoint(place ?? processed.coordinates),
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
