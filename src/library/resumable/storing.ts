import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { ignore } from '../../base/guarded.js';
import type { WallClock } from '../../base/time.js';
import { bytesPerMegabyte, secondMs } from '../../base/units.js';
import type { Database } from '../../database/joint-transaction.js';
import { assertFileHash, type UploadStaging } from '../../http/upload.js';
import type { ObjectStore } from '../../store/port.js';
import type { Uploads } from '../images/upload/uploads.js';
import type { LinkRequests } from '../links/requests.js';
import type { Usage } from '../quota/usage.js';
import { queueKeys, unqueueKeys } from '../reclaim/reclaim.js';
import { readAnnouncement } from './announcement.js';
import type { UploadRow } from './entity.js';
import { ArrivingFile, PieceLost } from './file.js';
import * as queries from './uploads.sql.js';

/** Pieces of an upload beyond one for each megabyte, before they are joined. */
const sparePieces = 100;

/** How long the last bytes of a request are saved again while the store is away, in milliseconds. */
const patienceMs = 15 * secondMs;
const pauseMs = secondMs / 2;

/** Refused and ended uploads of a user that are remembered, of each the newest. */
const rememberedPerUser = 10_000;

export interface StoringParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly uploads: Pick<Uploads, 'create' | 'addVersion'>;
  /** Stores what visitors of links have sent. */
  readonly requests: Pick<LinkRequests, 'receiveAt'>;
  readonly usage: Pick<Usage, 'lock'>;
  readonly clock: WallClock;
  readonly staging: Pick<UploadStaging, 'incoming' | 'disk'>;
  readonly hours: {
    /** Until an open upload expires, after its last byte. */
    readonly open: number;
    /** For which one that is over is remembered. */
    readonly over: number;
  };
}

/**
 * Makes what has arrived of an upload durable: as pieces, which are objects of their own, and in the end
 * as an image, in the same way as any upload. Whoever calls this has the turn to write to the upload.
 */
export class Storing {
  constructor(private readonly parts: StoringParts) {}

  /**
   * Stores what has arrived since the last piece as another one, so that any node can go on.
   * @returns the upload as it is then.
   * @throws ServiceError `unavailable`; `upload_locked` if another request has taken over.
   */
  async #save(upload: UploadRow, file: ArrivingFile): Promise<UploadRow> {
    const { db, store, hours } = this.parts;
    const joins = upload.pieces > sparePieces + upload.received / bytesPerMegabyte;
    if (joins) await this.#fill(upload, file);
    const start = joins ? 0 : upload.received;
    const { path, sha256 } = await file.copy(start);
    const { platformId, userId, id } = upload;
    const key = `${platformId}/${userId}/${id}/${uuidv7()}/piece.bin`;
    const piece = { key, start, bytes: file.end - start };
    await queueKeys(db, [key]);
    await store.put([{ key, path, sha256 }]);
    return db.transaction(async (tx) => {
      const saved = await queries.insertPiece(tx, upload, piece, hours.open);
      // Without it, another request has taken over, or the upload is over.
      if (!saved || !(await unqueueKeys(tx, [key]))) throw new ServiceError('upload_locked');
      return saved;
    });
  }

  /** The same while more is to come: a store that is away costs nothing unless the node dies as well. */
  async trySave(upload: UploadRow, file: ArrivingFile): Promise<UploadRow> {
    try {
      return await this.#save(upload, file);
    } catch (error) {
      if (isUnavailable(error)) return upload;
      throw error;
    }
  }

  /** The same with the last bytes of a request, which are lost if the store does not come back. */
  async saveLast(upload: UploadRow, file: ArrivingFile): Promise<UploadRow> {
    for (const until = performance.now() + patienceMs; ;) {
      try {
        return await this.#save(upload, file);
      } catch (error) {
        if (!isUnavailable(error) || performance.now() >= until) throw error;
      }
      await delay(pauseMs);
    }
  }

  /**
   * Stores a file whose last byte has arrived as an image, or refuses it.
   * @returns the upload as it is then. @throws ServiceError of an upload: with a status below 500 it is
   *   refused, otherwise its bytes are kept if they can be, to be tried again.
   */
  async finish(upload: UploadRow, file: ArrivingFile): Promise<UploadRow> {
    try {
      return await this.#store(upload, file);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) await this.#refuse(upload, error);
      else if (file.end > upload.received) await this.saveLast(upload, file).catch(ignore);
      throw error;
    }
  }

  /** The same with a file that is in pieces as a whole. */
  finishSaved(upload: UploadRow): Promise<UploadRow> {
    return ArrivingFile.with(this.parts.staging, upload.length, (file) =>
      this.finish(upload, file),
    );
  }

  /** Ends an upload, and gives back what it has announced. An image that it became stays. */
  async end({ id, userId }: queries.UploadId): Promise<void> {
    await this.#close({ id, userId }, { state: 'ended' });
  }

  async #store(upload: UploadRow, file: ArrivingFile): Promise<UploadRow> {
    await this.#fill(upload, file);
    const { uploads, requests, clock } = this.parts;
    const { name, target } = readAnnouncement(upload.metadata, clock);
    const received = await file.received(name);
    assertFileHash(target.fields, received);
    let stored = upload;
    const terms = {
      announcedBytes: upload.length,
      within: async (tx: Parameters<typeof queries.closeUpload>[0], imageId: string) => {
        const outcome = { state: 'stored', imageId } as const;
        const first = await queries.closeUpload(tx, upload.id, outcome, this.parts.hours.over);
        if (!first) throw new ServiceError('unavailable'); // another node was faster
        stored = { ...upload, ...outcome, received: upload.length };
      },
    };
    const owner = { platformId: upload.platformId, userId: upload.userId };
    if (target.kind === 'image') await uploads.create(owner, target.fields, received, terms);
    else if (target.kind === 'edit') {
      await uploads.addVersion(owner, target.imageId, target.fields, received, terms);
    } else {
      const imageId = await requests.receiveAt(target.linkId, received, {
        ...terms,
        sender: target.fields.sender ?? undefined,
      });
      if (stored === upload) return this.#arrivedBefore(upload, imageId);
    }
    return stored;
  }

  /** The same file came through the same link: the upload is stored as the image that it became. */
  async #arrivedBefore(upload: UploadRow, imageId: string): Promise<UploadRow> {
    const outcome = { state: 'stored', imageId } as const;
    await this.#close(upload, outcome);
    return { ...upload, ...outcome, received: upload.length };
  }

  #refuse(upload: UploadRow, { code, status, message, field, details }: ServiceError) {
    return this.#close(upload, {
      state: 'refused',
      error: { code, status, message, field, details },
    });
  }

  async #close(
    { id, userId }: queries.UploadId,
    outcome: Parameters<typeof queries.closeUpload>[2],
  ): Promise<void> {
    const { db, usage, hours } = this.parts;
    await db.transaction(async (tx) => {
      await usage.lock(tx, userId);
      await queries.closeUpload(tx, id, outcome, hours.over);
      await queries.forgetOldest(tx, userId, rememberedPerUser);
    });
  }

  /** Fetches what other requests have brought. An upload that lost a piece goes back to its beginning. */
  async #fill(upload: UploadRow, file: ArrivingFile): Promise<void> {
    const { db, store } = this.parts;
    try {
      await file.fill(store, await queries.selectPieces(db, upload.id));
    } catch (error) {
      if (!(error instanceof PieceLost)) throw error;
      await db.transaction((tx) => queries.rewind(tx, upload.id, error.piece.start));
      throw new ServiceError('unavailable', { cause: error });
    }
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.status >= 500;
