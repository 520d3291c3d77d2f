import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { inBatches } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Database } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import type { IndexQuery, Pages } from '../../http/paging/pages.js';
import { parseFolderTarget } from '../../http/request-fields.js';
import { assertFolderOpen } from '../tree/tree.js';
import { type Usage, underUserLock } from '../quota/usage.js';
import type { NewUploadSet, UploadSetDetails, UploadSetList, UploadSetRecord } from './schemas.js';
import * as queries from './upload-sets.sql.js';
import type { UploadSetRow } from './upload-sets.sql.js';

/** Limits on all upload sets of one user together, open and complete. */
interface UploadSetLimits {
  readonly sets: number;
  /** Expected files. */
  readonly files: number;
}

interface UploadSetParts {
  readonly db: Database;
  /** For lists. */
  readonly reads: Queryable;
  readonly usage: Pick<Usage, 'lock'>;
  readonly pages: Pages;
  readonly clock: WallClock;
  readonly limits: UploadSetLimits;
}

/**
 * Files that belong together, so that a client can see when all of them are stored durably. A
 * trigger records arrivals, in the transaction of the upload or edit (docs/adr/0016).
 */
export class UploadSets {
  constructor(private readonly parts: UploadSetParts) {}

  /**
   * @throws ServiceError `too_many_upload_sets`, `user_not_found`, `folder_not_found`,
   *   `folder_in_trash`.
   */
  create(userId: string, { hashes, title, folder_id }: NewUploadSet): Promise<UploadSetRecord> {
    const { db, usage, limits } = this.parts;
    const folderId = parseFolderTarget(folder_id) ?? null;
    const distinct = [...new Set(hashes)];
    return db.transaction(async (tx) => {
      await usage.lock(tx, userId);
      await assertWithinSetLimits(tx, userId, distinct.length, limits);
      if (folderId !== null) await assertFolderOpen(tx, userId, folderId);
      const set = await queries.insertSet(tx, {
        id: uuidv7(),
        userId,
        title: title ?? null,
        folderId,
        hashes: distinct.map((hash) => Buffer.from(hash, 'hex')),
      });
      return this.#record(set);
    });
  }

  /** A set with its missing files. */
  async get(userId: string, id: string): Promise<UploadSetDetails> {
    const set = isUuid(id) ? await queries.selectSet(this.parts.db, userId, id) : undefined;
    if (!set) throw new ServiceError('upload_set_not_found');
    return { ...this.#record(set), missing: [...set.missing] };
  }

  /** A page of the user's sets, newest first. */
  async list(userId: string, asked: IndexQuery): Promise<UploadSetList> {
    const { reads, pages } = this.parts;
    const source = queries.setsOf(reads, userId);
    const { fields, rows } = await pages.ofRows(['upload-sets', userId], asked, source);
    return { ...fields, items: rows.map((set) => this.#record(set)) };
  }

  /** Deletes a set; its images are not affected. */
  forget(userId: string, id: string): Promise<UploadSetRecord> {
    return this.parts.db.transaction(async (tx) => {
      await this.parts.usage.lock(tx, userId);
      const set = isUuid(id) ? await queries.deleteSet(tx, userId, id) : undefined;
      if (!set) throw new ServiceError('upload_set_not_found');
      return this.#record(set);
    });
  }

  #record(set: UploadSetRow): UploadSetRecord {
    const { clock } = this.parts;
    return {
      id: set.id,
      title: set.title,
      folder_id: set.folderId,
      state: set.completedAt ? 'complete' : 'open',
      expected: set.expected,
      arrived: set.arrived,
      created_at: clock.format(set.createdAt),
      completed_at: set.completedAt && clock.format(set.completedAt),
    };
  }
}

/**
 * Verifies that a set of the user exists, and expects a file if its hash is known. If the caller holds the user's lock, the set does
 * not change until the caller's transaction ends.
 *
 * @returns the folder for uploads of the set that name none; null: the top level.
 * @throws ServiceError `upload_set_not_found`, `not_expected`.
 */
export async function folderOfSet(
  db: Queryable,
  userId: string,
  id: string,
  hash: Buffer | undefined,
): Promise<string | null> {
  const field = 'upload_set_id';
  const set = isUuid(id) ? await queries.selectExpecting(db, userId, id, hash ?? null) : undefined;
  if (!set) throw new ServiceError('upload_set_not_found', { field });
  if (set.expected || hash === undefined) return set.folderId;
  const actual = hash.toString('hex');
  throw new ServiceError('not_expected', {
    field,
    message: `The upload set does not expect a file with the SHA-256 ${actual}; upload it without upload_set_id, or into a set that expects it.`,
    details: { actual },
  });
}

const remedy =
  'Delete complete or abandoned sets (DELETE …/upload-sets/{upload_set_id}); images stay.';

/**
 * The caller must hold the user's lock, so that the result stays valid. @throws ServiceError
 * `too_many_upload_sets` if a set of this many files would exceed a limit.
 */
async function assertWithinSetLimits(
  tx: Queryable,
  userId: string,
  files: number,
  limits: UploadSetLimits,
): Promise<void> {
  const used = await queries.selectSetTotals(tx, userId);
  const details = { ...used, max_sets: limits.sets, max_files: limits.files };
  if (used.sets >= limits.sets) {
    const message = `A user can have at most ${limits.sets} upload sets. ${remedy}`;
    throw new ServiceError('too_many_upload_sets', { message, details });
  }
  if (used.files + files > limits.files) {
    const message = `The upload sets of a user can expect at most ${limits.files} files together; there are ${used.files} already. ${remedy}`;
    throw new ServiceError('too_many_upload_sets', { message, details, field: 'hashes' });
  }
}

/** Sets deleted in one transaction, each with up to 10,000 files. */
const setsAtOnce = 10;

interface ExpiryOptions {
  readonly db: DataSource | EntityManager;
  /** How long a set may stay open. */
  readonly days: number;
  /** Stops the run after the current transaction. */
  readonly signal?: AbortSignal;
}

/** Deletes sets that were left open, oldest first. @returns the number of deleted sets. */
export async function forgetStaleSets({
  db,
  days,
  signal,
}: ExpiryOptions): Promise<{ uploadSets: number }> {
  let uploadSets = 0;
  for (let after: string | undefined; !signal?.aborted;) {
    const owner = await queries.selectStaleOwner(db, days, after);
    if (!owner) break;
    after = owner;
    const forget = (tx: Queryable) => queries.deleteStaleSets(tx, owner, days, setsAtOnce);
    uploadSets += await inBatches(
      setsAtOnce,
      signal,
      async () => (await underUserLock(db, owner, forget)) ?? 0,
    );
  }
  return { uploadSets };
}
