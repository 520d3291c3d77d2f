import type { Writable } from 'node:stream';
import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Scratch } from '../../http/scratch.js';
import { LineWriter, type StreamedResponse } from '../../http/streamed-response.js';
import { allFolders } from '../../library/folders/contents.js';
import type { Frame, ImageRecords, ResolveUrl } from '../../library/images/record.js';
import { includeAll } from '../../library/images/record-fields.js';
import {
  beginning,
  readCursor,
  writeCursor,
  type FeedPosition,
  hasSequence,
  selectChanges,
  selectEnds,
  selectExpired,
  selectNewestPosition,
  selectPlatformChanges,
  type ChangeRow,
  type SequenceOwner,
  changeRecord,
} from './entries.js';
import type { PlatformFeed, UserFeed } from './schemas.js';

const compare = (a: FeedPosition, b: FeedPosition): number =>
  a.position - b.position || (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : a.seq - b.seq);

/** The sequences of changes of users, and of the users of a platform. */
export class Changes {
  constructor(
    private readonly db: DataSource,
    private readonly clock: WallClock,
  ) {}

  /** @throws ServiceError `user_not_found`, `feed_expired`, `invalid_cursor`. */
  async ofUser(owner: SequenceOwner, after: number, limit: number): Promise<UserFeed> {
    const found = isUuid(owner.userId) ? await selectChanges(this.db, owner, { after, limit }) : [];
    const [first] = found;
    if (!first) throw new ServiceError('user_not_found');
    const { newest } = first;
    const changes = found.filter((row): row is typeof row & ChangeRow => row.seq !== null);
    if (newest < after || (changes[0]?.seq ?? newest + 1) !== after + 1) {
      throw await this.#cursorError(owner, after);
    }
    const last = changes.at(-1)?.seq ?? after;
    return {
      changes: changes.map((row) => changeRecord(row, this.clock)),
      last,
      more: last < newest,
    };
  }

  /**
   * Must precede waiting for a user's changes: whoever names a user's id is no reader of that user
   * yet. @throws ServiceError `user_not_found`.
   */
  async assertReader(owner: SequenceOwner): Promise<void> {
    if (owner.asUser) return; // the id is the token's own
    if (!isUuid(owner.userId) || !(await hasSequence(this.db, owner))) {
      throw new ServiceError('user_not_found');
    }
  }

  /** The error for a number that no kept entry follows. */
  async #cursorError(owner: SequenceOwner, after: number): Promise<ServiceError> {
    const ends = await selectEnds(this.db, owner);
    if (!ends) return new ServiceError('user_not_found');
    const { newest, oldest } = ends;
    if (after > newest) return beyondNewest(newest);
    return new ServiceError('feed_expired', { details: { first: oldest ?? newest + 1 } });
  }

  /** @throws ServiceError `feed_expired`, `invalid_cursor`. */
  async ofPlatform(platformId: string, after: string | undefined, limit: number) {
    const from = after === undefined ? beginning : readCursor(after);
    if (!from) throw await this.#beyondNewest(platformId);
    const found = await selectPlatformChanges(this.db, platformId, from, limit + 1);
    // Read last: entries that have expired until then may be missing from the page.
    const expired = await selectExpired(this.db, platformId);
    if (expired && compare(from, expired) < 0) {
      throw new ServiceError('feed_expired', { details: { first: writeCursor(expired) } });
    }
    if (found.length === 0 && from !== beginning)
      await this.#assertReached(platformId, from, expired);
    const shown = found.slice(0, limit);
    const page: PlatformFeed = {
      changes: shown.map((row) => ({ user_id: row.userId, ...changeRecord(row, this.clock) })),
      last: writeCursor(shown.at(-1) ?? from),
      more: found.length > limit,
    };
    return { page, cursors: shown.map((row) => writeCursor(row)) };
  }

  /** Refuses a position beyond the newest entry. */
  async #assertReached(
    platformId: string,
    from: FeedPosition,
    expired: FeedPosition | undefined,
  ): Promise<void> {
    const newest = (await selectNewestPosition(this.db, platformId)) ?? expired ?? beginning;
    if (compare(from, newest) > 0) throw await this.#beyondNewest(platformId);
  }

  async #beyondNewest(platformId: string): Promise<ServiceError> {
    const newest = await selectNewestPosition(this.db, platformId);
    const known = newest ?? (await selectExpired(this.db, platformId)) ?? beginning;
    return beyondNewest(writeCursor(known));
  }
}

const beyondNewest = (last: number | string): ServiceError =>
  new ServiceError('invalid_cursor', {
    field: 'after',
    message: 'after is beyond the newest entry, or was not given out by this feed.',
    details: { last },
  });

export const lines = 'application/x-ndjson';

/** Every statement sees the snapshot of the first one. */
const isolation = 'REPEATABLE READ';

interface SnapshotParts {
  readonly db: DataSource;
  readonly clock: WallClock;
  readonly records: ImageRecords;
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
    const { clock, records } = this.parts;
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
    const all = { condition: 'i.user_id = $1', values: [userId] };
    const wanted = { include: includeAll, resolveUrl };
    const frame: Frame = {
      begin: '',
      before: () => '{"type":"image","image":',
      after: () => {
        count.images += 1;
        return '}}\n';
      },
      end: () => '',
    };
    for await (const lines of records.matching(tx, all, wanted, frame)) {
      await writer.writeLines(lines);
    }
    await writer.write({ end: true, ...count });
    await writer.flush();
  }
}
