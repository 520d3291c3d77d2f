import { linkBearers } from '../../base/callers.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Queryable } from '../../database/sql.js';
import type { ReceivedFile } from '../../http/upload.js';
import type { Uploads } from '../images/upload/service.js';
import type { Usage } from '../quota/usage.js';
import type { VisitSecrets } from './visit-secrets.js';
import { selectArrival, selectArrived, upsertArrival, type VisitedLink } from './visitors.sql.js';

interface RequestParts {
  readonly db: Queryable;
  readonly secrets: VisitSecrets;
  readonly uploads: Pick<Uploads, 'create'>;
  readonly usage: Pick<Usage, 'assertQuota'>;
}

/** Thrown to leave the transaction of an upload whose file has arrived meanwhile. */
class AlreadyArrived extends Error {
  constructor(readonly imageId: string) {
    super('the file has arrived before');
  }
}

/** What visitors send through links that ask for pictures. */
export class LinkRequests {
  constructor(private readonly parts: RequestParts) {}

  /** @returns bytes that the owner may still store. @throws ServiceError as `assertQuota`. */
  remainingBytes({ userId }: VisitedLink): Promise<number> {
    return this.parts.usage.assertQuota(userId);
  }

  /**
   * Stores a picture in the link's folder; the same file through the same link is stored once.
   * @returns what stands for it to its sender. @throws ServiceError as `Uploads.create`.
   */
  async receive(link: VisitedLink, file: ReceivedFile): Promise<string> {
    const { db, secrets } = this.parts;
    const known = await selectArrival(db, link, file.hash);
    return secrets.hideId(link.id, known ?? (await this.#store(link, file)));
  }

  /** Those of the given pictures that have arrived. @param ids as `receive` returns them. */
  async arrived({ id: linkId }: VisitedLink, ids: readonly string[]): Promise<string[]> {
    const { db, secrets } = this.parts;
    const asked = new Map(ids.map((id) => [secrets.readId(linkId, id), id]));
    asked.delete(undefined);
    const found = new Set(await selectArrived(db, linkId, [...asked.keys()] as string[]));
    return [...asked].flatMap(([imageId, id]) => (found.has(String(imageId)) ? [id] : []));
  }

  /** @returns the id of the image. */
  async #store(link: VisitedLink, file: ReceivedFile): Promise<string> {
    const { id: linkId, userId, platformId, folderId } = link;
    const fields = { folder_id: folderId, upload_type: 'request' } as const;
    let stored = '';
    try {
      await this.parts.uploads.create({ platformId, userId }, fields, file, {
        caller: linkBearers(userId),
        within: async (tx, imageId) => {
          // Under the user's lock: of two at once, the second finds the first.
          const known = await selectArrival(tx, link, file.hash);
          if (known !== undefined) throw new AlreadyArrived(known);
          const { hash } = file;
          if (!(await upsertArrival(tx, { linkId, hash, imageId }))) {
            throw new ServiceError('link_ended');
          }
          stored = imageId;
        },
      });
    } catch (error) {
      if (error instanceof AlreadyArrived) return error.imageId;
      throw error;
    }
    return stored;
  }
}
