import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { ServiceError, invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { Queryable } from '../../../database/sql.js';
import { ext } from '../../../http/record-fields.js';
import {
  parseFolderTarget,
  clearable,
  idList,
  identifier,
  triState,
} from '../../../http/request-fields.js';
import type { Usage } from '../../quota/usage.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import { assertFolderOpen } from '../../tree/tree.js';
import { imageExists, type ImageRow } from '../images.sql.js';
import {
  addressOf,
  addressFields,
  cameraFields,
  cameraOf,
  coordinateFields,
  withFields,
} from '../schemas.js';
import {
  updateImage,
  type ImagePatch,
  selectStates,
  shareImage,
  shareImages,
} from './update.sql.js';

/** Fields of an image update: absent fields stay unchanged, empty ones are cleared. */
export const updateFields = z.object({
  delete: triState.optional().meta({
    description: 'True: move to the trash; False: restore; None: no change',
  }),
  folder_id: identifier.nullable().optional().meta({
    description: 'a folder, or one blank for the top level (null in JSON); empty or UNSET: no move',
  }),
  has_det: clearable(triState).optional(),
  ...coordinateFields,
  ...addressFields,
  ...cameraFields,
  is_shared: triState.optional().meta({ description: 'None: no change' }),
  is_signed: triState.optional().meta({ description: 'None: no change' }),
});
export type UpdateFields = z.output<typeof updateFields>;

/** Maximum number of images per request to share. */
export const shareLimit = 1000;

/** The same number as written in documentation. */
export const shareLimitText = shareLimit.toLocaleString('en');

export const shareFields = z.object({
  image_ids: idList.meta({ description: `1 to ${shareLimitText} ids` }),
});

/** The includes that a change may request for the returned record. */
export const changedImageQuery = z.object({
  with_memo: withFields.with_memo.meta(ext),
  with_custom: withFields.with_custom.meta(ext),
  with_history: withFields.with_history.meta(ext),
});

/** Changes the details of images: location, address, flags, folder, and trash. */
export class ImageUpdates {
  constructor(private readonly db: Database) {}

  /**
   * Applies all changes or none. Images in the trash accept every change too: the interface does
   * not forbid it, and a client may want to correct an image before restoring it.
   *
   * @returns the changed image; undefined if nothing has changed, or there is no such image.
   */
  async update(
    userId: string,
    imageId: string,
    fields: UpdateFields,
  ): Promise<ImageRow | undefined> {
    const folderId = parseFolderTarget(fields.folder_id);
    const patch = { ...patchOf(fields), folderId };
    if (!isUuid(imageId)) throw new ServiceError('image_not_found');
    if (Object.values(patch).every((value) => value === undefined)) return undefined;
    const isFolder = typeof folderId === 'string';
    if (isFolder && !isUuid(folderId)) return this.#refuse(userId, imageId, folderId);
    const changed = await updateImage(this.db, userId, imageId, patch);
    if (!changed) throw new ServiceError('user_not_found');
    if (isFolder && !changed.folderIsOpen) return this.#refuse(userId, imageId, folderId);
    return changed.id === null ? undefined : changed;
  }

  /** Throws the reason why an image cannot be moved to a folder. */
  async #refuse(userId: string, imageId: string, folderId: string): Promise<never> {
    if (!(await imageExists(this.db, userId, imageId))) throw new ServiceError('image_not_found');
    await assertFolderOpen(this.db, userId, folderId);
    // The folder has been restored since.
    throw new ServiceError('folder_in_trash', { field: 'folder_id' });
  }
}

export function patchOf(fields: UpdateFields): ImagePatch {
  const coordinates = readCoordinates(fields);
  return {
    location: coordinates === undefined ? undefined : toPoint(coordinates),
    hasDet: fields.has_det,
    isShared: fields.is_shared ?? undefined,
    isSigned: fields.is_signed ?? undefined,
    trashed: fields.delete ?? undefined,
    ...addressOf(fields),
    ...cameraOf(fields),
  };
}

/** Why an image cannot be shared. */
interface Offender {
  readonly image_id: string;
  readonly code: 'image_not_found' | 'image_in_trash';
}

/** Marks many images as shared at once. */
export class Sharing {
  constructor(
    private readonly db: Database,
    private readonly usage: Usage,
  ) {}

  /**
   * Shares all of these images, or none.
   * @returns the ids in the requested order, without duplicates, and the image if it is one that was
   *   not shared before.
   * @throws ServiceError `image_not_found` or `image_in_trash`; its details list every image that
   *   cannot be shared.
   */
  async share(
    userId: string,
    asked: readonly string[],
  ): Promise<{ ids: string[]; changed?: ImageRow }> {
    if (asked.length === 0) throw missingField('image_ids');
    if (asked.length > shareLimit)
      throw invalidField('image_ids', `a list of 1 to ${shareLimit} ids`);
    const imageIds = [...new Set(asked)];
    // One image takes a single statement.
    const [only, ...others] = imageIds;
    const changed =
      only !== undefined && others.length === 0 && isUuid(only)
        ? await shareImage(this.db, userId, only)
        : undefined;
    if (changed) return { ids: imageIds, changed };
    await this.db.transaction(async (tx) => {
      // Keeps the images out of the trash until they are shared.
      await this.usage.lock(tx, userId);
      const offenders = await offendersAmong(tx, userId, imageIds);
      if (offenders.length > 0) throw refusal(offenders);
      await shareImages(tx, userId, imageIds);
    });
    return { ids: imageIds };
  }
}

/** Those of these images that the user has not, or that are in the trash. */
export async function offendersAmong(
  db: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<Offender[]> {
  const states = await selectStates(
    db,
    userId,
    imageIds.filter((id) => isUuid(id)),
  );
  const trashed = new Map(states.map((state) => [state.id, state.trashed]));
  return imageIds.flatMap((id): Offender[] => {
    const inTrash = trashed.get(id);
    if (inTrash === undefined) return [{ image_id: id, code: 'image_not_found' }];
    return inTrash ? [{ image_id: id, code: 'image_in_trash' }] : [];
  });
}

function refusal(offenders: readonly Offender[]): ServiceError {
  const unknown = offenders.some(({ code }) => code === 'image_not_found');
  return new ServiceError(unknown ? 'image_not_found' : 'image_in_trash', {
    field: 'image_ids',
    message: 'Nothing was shared: some images are in the trash or do not exist.',
    details: offenders,
  });
}
