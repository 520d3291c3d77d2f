import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../errors/catalogue.js';
import type { Usage } from '../../quota/usage.js';
import { placeOf, toPoint } from '../place.js';
import { targetOf } from '../../http/folder-target.js';
import type { FolderGuard } from '../folder-guard.js';
import { addressOf } from '../schemas.js';
import { lockState, updateImage } from './queries.js';
import type { Changes, ImageState } from './queries.js';
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
   * @throws ServiceError `image_not_found`, `missing_field` for half a location,
   *   `folder_not_found`,
   *   `folder_in_trash`.
   */
  async update(userId: string, imageId: string, fields: UpdateFields): Promise<void> {
    const said = changesOf(fields);
    const target = targetOf(fields.folder_id);
    if (!isUuid(imageId)) throw new ServiceError('image_not_found');
    await this.db.transaction(async (tx) => {
      await this.usage.lock(tx, userId);
      const image = await lockState(tx, userId, imageId);
      if (!image) throw new ServiceError('image_not_found');
      const moves = typeof fields.delete === 'boolean' && fields.delete !== image.trashed;
      await updateImage(tx, userId, imageId, {
        ...said,
        ...(moves && { trashed: fields.delete === true }),
        folderId: await this.#folder(tx, userId, {
          image,
          target,
          restored: moves && image.trashed,
        }),
      });
    });
  }

  /** The folder that the image moves to; undefined when it stays where it is. */
  async #folder(
    tx: EntityManager,
    userId: string,
    move: { image: ImageState; target: string | null | undefined; restored: boolean },
  ): Promise<string | null | undefined> {
    const { target } = move;
    if (typeof target === 'string') await this.folders.assertOpen(tx, userId, target);
    if (target !== undefined) return target;
    const { folderId } = move.image;
    if (!move.restored || folderId === null) return undefined;
    return (await this.folders.isOpen(tx, userId, folderId)) ? undefined : null;
  }
}

function changesOf(fields: UpdateFields): Changes {
  const place = placeOf(fields);
  return {
    location: place === undefined ? undefined : toPoint(place),
    hasDet: fields.has_det,
    isShared: fields.is_shared ?? undefined,
    isSigned: fields.is_signed ?? undefined,
    ...addressOf(fields),
  };
}
