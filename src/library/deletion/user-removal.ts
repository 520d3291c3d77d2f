import type { Database } from '../../database/joint-transaction.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Folders } from '../folders/guard.js';
import type { ImageRemoval } from '../images/removal.js';
import { closeUser, deleteUser } from './deletion.sql.js';
import type { DeletedUser } from './schemas.js';

/** Deletes users. */
export class UserRemoval {
  constructor(
    private readonly db: Database,
    private readonly images: ImageRemoval,
    private readonly folders: Folders,
  ) {}

  /**
   * Deletes a user and everything they own in one transaction; triggers hand the objects to the
   * reclaim job. Uploads in progress either commit first or are rejected with `user_not_found`.
   *
   * @throws ServiceError `user_not_found`, also while the user is already being deleted.
   */
  async remove(userId: string): Promise<DeletedUser> {
    return this.db.transaction(async (tx) => {
      if (!(await closeUser(tx, userId))) throw new ServiceError('user_not_found');
      const images = await this.images.removeAll(tx, userId);
      const folders = await this.folders.removeAll(tx, userId);
      await deleteUser(tx, userId);
      return { user_id: userId, deleted_folders: folders, deleted_images: images };
    });
  }
}
