import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../errors/catalogue.js';
import type { Usage } from '../../quota/usage.js';
import { readCoordinates, toPoint } from '../coordinates.js';
import { parseFolderTarget } from '../../http/folder-target.js';
import type { FolderGuard } from '../folder-guard.js';
import { addressOf } from '../schemas.js';
import { lockImageState, updateImage } from './queries.js';
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
    const requested = changesOf(fields);
    const target = parseFolderTarget(fields.folder_id);
    if (!isUuid(imageId)) throw new ServiceError('image_not_found');
    await this.db.transaction(async (tx) => {
      await this.usage.lock(tx, userId);
      const image = await lockImageState(tx, userId, imageId);
      if (!image) throw new ServiceError('image_not_found');
      const moves = typeof fields.delete === 'boolean' && fields.delete !== image.trashed;
      await updateImage(tx, userId, imageId, {
        ...requested,
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
  const coordinates = readCoordinates(fields);
  return {
    location: coordinates === undefined ? undefined : toPoint(coordinates),
    hasDet: fields.has_det,
    isShared: fields.is_shared ?? undefined,
    isSigned: fields.is_signed ?? undefined,
    ...addressOf(fields),
  };
}
