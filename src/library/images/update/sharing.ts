import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../../database/joint-transaction.js';
import { ServiceError, invalidField, missingField } from '../../../base/errors/catalogue.js';
import type { Usage } from '../../quota/usage.js';
import type { ImageRow } from '../images.sql.js';
import { selectStates, shareImage, shareImages } from './update.sql.js';
import { shareLimit } from './schemas.js';

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

async function offendersAmong(
  tx: EntityManager,
  userId: string,
  imageIds: readonly string[],
): Promise<Offender[]> {
  const states = await selectStates(
    tx,
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
