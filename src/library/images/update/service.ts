import { validate as isUuid } from 'uuid';
import type { Database } from '../../../database/joint-transaction.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import { parseFolderTarget } from '../../../http/request-fields.js';
import type { FolderGuard } from '../folder-guard.js';
import { addressOf } from '../schemas.js';
import { imageExists, type ImageRow } from '../images.sql.js';
import { updateImage, type ImagePatch } from './update.sql.js';
import type { UpdateFields } from './schemas.js';

/** Changes the details of images: location, address, flags, folder, and trash. */
export class ImageUpdates {
  constructor(
    private readonly db: Database,
    private readonly folders: FolderGuard,
  ) {}

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
    await this.folders.assertOpen(this.db, userId, folderId);
    // The folder has been restored since.
    throw new ServiceError('folder_in_trash', { field: 'folder_id' });
  }
}

function patchOf(fields: UpdateFields): ImagePatch {
  const coordinates = readCoordinates(fields);
  return {
    location: coordinates === undefined ? undefined : toPoint(coordinates),
    hasDet: fields.has_det,
    isShared: fields.is_shared ?? undefined,
    isSigned: fields.is_signed ?? undefined,
    trashed: fields.delete ?? undefined,
    ...addressOf(fields),
  };
}
