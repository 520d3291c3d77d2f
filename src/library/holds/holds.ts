import { withNamedImages } from '../../http/paging/newest.js';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { invalidField, ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { secondMs } from '../../base/units.js';
import { keepCaller } from '../../database/fairness.js';
import type { Database } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { noteAct } from '../../http/audit/acts.js';
import type { Scope } from '../../http/auth/claims.js';
import { Batches } from '../../http/paging/batches.js';
import type { IndexQuery, Pages } from '../../http/paging/pages.js';
import * as queries from './holds.sql.js';
import type { HoldRow, Target } from './holds.sql.js';
import type { HoldRecord, NewHold } from './schemas.js';

interface HoldParts {
  readonly db: Database;
  readonly pages: Pages;
  readonly clock: WallClock;
}

/** What platforms and administrators keep from being deleted for good. */
export class Holds {
  constructor(private readonly parts: HoldParts) {}

  /**
   * @throws ServiceError `platform_not_found`, `user_not_found`, `folder_not_found`,
   *   `image_not_found`, `invalid_field`.
   */
  async create(platformId: string, scope: Scope, wanted: NewHold): Promise<HoldRecord> {
    const target = targetOf(wanted);
    // A day ends with its last second.
    const until = wanted.until ? new Date(wanted.until.to.getTime() - secondMs) : null;
    if (until && until.getTime() <= Date.now()) throw invalidField('until', 'in the future');
    const [one = ''] = target.ids;
    const hold = {
      id: uuidv7(),
      platformId: isUuid(platformId) ? platformId : unknownPlatform(),
      reason: wanted.reason,
      until,
      imageIds: target.kind === 'image' ? target.ids : null,
      folderId: target.kind === 'folder' ? one : null,
      userId: target.kind === 'user' ? one : null,
      createdBy: scope === 'admin' ? 'admin' : 'platform',
    };
    const row = await this.parts.db.transaction(async (tx) => {
      const found = target.ids.every((id) => isUuid(id))
        ? await queries.lockTarget(tx, platformId, target)
        : [];
      if (!(await queries.lockPlatform(tx, platformId))) unknownPlatform();
      if (found.length < target.ids.length)
        throw notFound(target, new Set(found.map(({ id }) => id)));
      const made = await queries.insertHold(tx, hold, target.kind, found);
      await noteAct(tx, { act: 'hold.create', platformId, details: { hold: hold.id } });
      return made;
    });
    return this.#record(row);
  }

  /** A page of the platform's holds, newest first. @throws ServiceError `platform_not_found`. */
  async list(platformId: string, asked: IndexQuery) {
    const { db, pages } = this.parts;
    await this.#assertPlatform(platformId);
    const source = queries.holdsOf(db, platformId);
    const { fields, rows } = await pages.ofRows(['holds', platformId], asked, source);
    const items = withNamedImages(db, 'holds', rows, this.#record);
    return { ...fields, items: new Batches(keepCaller(items)) };
  }

  /** @throws ServiceError `platform_not_found`, `hold_not_found`. */
  async get(platformId: string, id: string): Promise<HoldRecord> {
    await this.#assertPlatform(platformId);
    const row = isUuid(id) ? await queries.selectHold(this.parts.db, platformId, id) : undefined;
    return this.#record(row ?? unknown());
  }

  /** The platform whose hold it is. @throws ServiceError `hold_not_found`. */
  async platformOf(id: string): Promise<string> {
    return (
      (isUuid(id) ? await queries.selectPlatformOf(this.parts.db, id) : undefined) ?? unknown()
    );
  }

  /**
   * Ends a hold; one that was released stays so.
   * @throws ServiceError `platform_not_found`, `hold_not_found`, `forbidden`.
   */
  async release(platformId: string, scope: Scope, id: string): Promise<HoldRecord> {
    const hold = await this.get(platformId, id);
    if (hold.created_by === 'admin' && scope !== 'admin') {
      const message = 'An administrator made this hold; only an administrator releases it.';
      throw new ServiceError('forbidden', { message });
    }
    const row = await this.parts.db.transaction(async (tx) => {
      await noteAct(tx, { act: 'hold.release', platformId, details: { hold: id } });
      return queries.releaseHold(tx, id);
    });
    return this.#record(row ?? unknown());
  }

  async #assertPlatform(platformId: string): Promise<void> {
    if (!isUuid(platformId) || !(await queries.isPlatform(this.parts.db, platformId))) {
      unknownPlatform();
    }
  }

  #record = (row: HoldRow): HoldRecord => recordOf(row, this.parts.clock);
}

function unknown(): never {
  throw new ServiceError('hold_not_found');
}

function unknownPlatform(): never {
  throw new ServiceError('platform_not_found');
}

/** @throws ServiceError unless there is exactly one target. */
function targetOf({ image_ids: images, folder_id: folder, user_id: user }: NewHold): Target {
  const given: Target[] = [
    ...(images ? [{ kind: 'image' as const, ids: [...new Set(images)] }] : []),
    ...(folder ? [{ kind: 'folder' as const, ids: [folder] }] : []),
    ...(user ? [{ kind: 'user' as const, ids: [user] }] : []),
  ];
  const [target, another] = given;
  if (target && !another) return target;
  const targets = 'a hold is on exactly one of image_ids, folder_id and user_id';
  if (!another) throw invalidField('image_ids', `given, or another target: ${targets}`);
  throw invalidField(fieldOf[another.kind], `the only target: ${targets}`);
}

const fieldOf = { image: 'image_ids', folder: 'folder_id', user: 'user_id' } as const;

const notFound = ({ kind, ids }: Target, found: ReadonlySet<string>): ServiceError => {
  const missing = ids.filter((id) => !found.has(id));
  return new ServiceError(`${kind}_not_found`, {
    field: fieldOf[kind],
    ...(kind === 'image' && {
      message: 'Some of the images do not exist.',
      details: { image_ids: missing },
    }),
  });
};

/** The most holds that a status names. */
const maxNamed = 100;

/** How many holds last, of all platforms, and the oldest of them. */
export async function lastingHolds(db: Queryable, clock: WallClock) {
  const found = await queries.selectLasting(db, maxNamed);
  return { lasting: found[0]?.total ?? 0, oldest: found.map((row) => recordOf(row, clock)) };
}

/** A hold as represented in the API. */
const recordOf = (row: HoldRow, clock: WallClock): HoldRecord => ({
  id: row.id,
  reason: row.reason,
  until: row.until && clock.format(row.until),
  image_ids: row.imageIds,
  folder_id: row.folderId,
  user_id: row.userId,
  created_at: clock.format(row.createdAt),
  created_by: row.createdBy === 'admin' ? 'admin' : 'platform',
  released_at: row.releasedAt && clock.format(row.releasedAt),
});
