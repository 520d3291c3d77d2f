import { guestsOf } from '../../base/callers.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Queryable } from '../../database/sql.js';
import type { ReceivedFile } from '../../http/upload.js';
import type { Uploads, UploadTerms } from '../images/upload/uploads.js';
import type { VisitSecrets } from './visit-secrets.js';
import {
  selectArrival,
  selectArrived,
  selectRequesting,
  upsertArrival,
  type RequestingLink,
} from './visitors.sql.js';

interface RequestParts {
  readonly db: Queryable;
  readonly secrets: VisitSecrets;
  readonly uploads: Pick<Uploads, 'create'>;
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

  /**
   * Stores a picture in the link's folder; the same file through the same link is stored once.
   * @returns what stands for it to its sender. @throws ServiceError as `Uploads.create`.
   */
  async receive(
    link: RequestingLink,
    file: ReceivedFile,
    terms: Pick<UploadTerms, 'sender'>,
  ): Promise<string> {
    return this.parts.secrets.hideId(link.id, await this.#storeOnce(link, file, terms));
  }

  /**
   * Stores a picture that came in several requests. @param terms of its storing, unless it has arrived
   * before. @returns the id of the image. @throws ServiceError as `receive`; `link_ended`.
   */
  async receiveAt(
    linkId: string,
    file: ReceivedFile,
    terms: Pick<UploadTerms, 'announcedBytes' | 'sender' | 'within'>,
  ): Promise<string> {
    const link = await selectRequesting(this.parts.db, linkId);
    if (!link) throw new ServiceError('link_ended');
    return this.#storeOnce(link, file, terms);
  }

  /** Those of the given pictures that have arrived. @param ids as `receive` returns them. */
  async arrived({ id: linkId }: RequestingLink, ids: readonly string[]): Promise<string[]> {
    const { db, secrets } = this.parts;
    const asked = new Map(ids.map((id) => [secrets.readId(linkId, id), id]));
    asked.delete(undefined);
    const found = new Set(await selectArrived(db, linkId, [...asked.keys()] as string[]));
    return [...asked].flatMap(([imageId, id]) => (found.has(String(imageId)) ? [id] : []));
  }

  /** @returns the id of the image. */
  async #storeOnce(link: RequestingLink, file: ReceivedFile, terms: UploadTerms): Promise<string> {
    const known = await selectArrival(this.parts.db, link, file.hash);
    if (known !== undefined) return known;
    const { id: linkId, userId, platformId, folderId } = link;
    const fields = { folder_id: folderId, upload_type: 'request' } as const;
    let stored = '';
    try {
      await this.parts.uploads.create({ platformId, userId }, fields, file, {
        ...terms,
        caller: guestsOf(userId),
        within: async (tx, imageId) => {
          // Under the user's lock: of two at once, the second finds the first.
          const known = await selectArrival(tx, link, file.hash);
          if (known !== undefined) throw new AlreadyArrived(known);
          const { hash } = file;
          if (!(await upsertArrival(tx, { linkId, hash, imageId }))) {
            throw new ServiceError('link_ended');
          }
          await terms.within?.(tx, imageId);
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
