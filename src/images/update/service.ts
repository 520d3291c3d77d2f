import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../errors/catalogue.js';
import type { Usage } from '../../quota/usage.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import { parseFolderTarget } from '../../http/folder-target.js';
import type { FolderGuard } from '../folder-guard.js';
import { addressOf } from '../schemas.js';
import { imageExists } from '../queries.js';
import type { ImageRow } from '../queries.js';
import { updateImage } from './queries.js';
import type { Changes } from './queries.js';
import type { UpdateFields } from './schemas.js';

/** Changes the details of images: location, address, flags, folder, and trash. */
export class ImageUpdates {
  constructor(
    private readonly db: DataSource,
    private readonly usage: Usage,
    private readonly folders: FolderGuard,
  ) {}

  /**
   * Applies all changes or none. Images in the trash accept every change too: the interface does
   * not forbid it, and a client may want to correct an image before restoring it.
   *
   * @returns the image as it is now; undefined if nothing has changed, or there is no such image.
   */
  async update(
    userId: string,
    imageId: string,
    fields: UpdateFields,
  ): Promise<ImageRow | undefined> {
    const changes = changesOf(fields);
    const folderId = parseFolderTarget(fields.folder_id);
    if (!isUuid(imageId)) throw new ServiceError('image_not_found');
    // Folders that are looked at stay as they are only under the user's lock.
    const looks = folderId !== undefined || changes.trashed === false;
    if (!looks) return this.#change(this.db, userId, imageId, changes);
    return this.db.transaction(async (tx) => {
      await this.usage.lock(tx, userId);
      if (typeof folderId === 'string') {
        if (!(await imageExists(tx, userId, imageId))) throw new ServiceError('image_not_found');
        await this.folders.assertOpen(tx, userId, folderId);
      }
      return this.#change(tx, userId, imageId, { ...changes, folderId });
    });
  }

  async #change(
    db: Queryable,
    userId: string,
    imageId: string,
    changes: Changes,
  ): Promise<ImageRow | undefined> {
    if (Object.values(changes).every((value) => value === undefined)) return undefined;
    const changed = await updateImage(db, userId, imageId, changes);
    if (!changed) throw new ServiceError('user_not_found');
    return changed.id === null ? undefined : changed;
  }
}

function changesOf(fields: UpdateFields): Changes {
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
