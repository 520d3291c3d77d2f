import type { Writable } from 'node:stream';
import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { inTurn, type Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { allFolders } from '../../library/folders/contents.js';
import { LineWriter, type StreamedResponse } from '../../http/streamed-response.js';
import type { Scratch } from '../../http/scratch.js';
import { allImages, type RecordPages } from '../../library/images/record-pages.js';
import type { ResolveUrl } from '../../library/images/record.js';
import type { WallClock } from '../../base/time.js';
import { selectEnds, type SequenceOwner } from './record.js';

export const lines = 'application/x-ndjson';

/** Every statement sees the snapshot of the first one. */
const isolation = 'REPEATABLE READ';

export interface SnapshotParts {
  readonly db: DataSource;
  readonly clock: WallClock;
  /** Records as they are within a transaction. */
  readonly pagesOf: (tx: Queryable) => RecordPages;
  readonly scratch: Scratch;
}

/** All folders and images of a user as of one number of the sequence. */
export class Snapshots {
  constructor(private readonly parts: SnapshotParts) {}

  /** One line per record, all read in one transaction. @throws ServiceError `user_not_found`, on writing. */
  of(owner: SequenceOwner, resolveUrl: ResolveUrl): StreamedResponse {
    const { db, scratch } = this.parts;
    return scratch.response(lines, (destination, signal) =>
      db.transaction(isolation, (tx) =>
        this.#write(tx, { owner, resolveUrl }, destination, signal),
      ),
    );
  }

  async #write(
    tx: EntityManager,
    { owner, resolveUrl }: { owner: SequenceOwner; resolveUrl: ResolveUrl },
    destination: Writable,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, pagesOf } = this.parts;
    const { userId } = owner;
    const ends = isUuid(userId) ? await selectEnds(tx, owner) : undefined;
    if (!ends) throw new ServiceError('user_not_found');
    const writer = new LineWriter(destination, signal);
    await writer.write({ last: ends.newest });
    const count = { folders: 0, images: 0 };
    for await (const folders of allFolders(tx, userId, clock)) {
      for (const folder of folders) await writer.write({ type: 'folder', folder });
      count.folders += folders.length;
    }
    for await (const images of allImages(tx, pagesOf(inTurn(tx)), userId, resolveUrl)) {
      for (const image of images) await writer.write({ type: 'image', image });
      count.images += images.length;
    }
    await writer.write({ end: true, ...count });
    await writer.flush();
  }
}
