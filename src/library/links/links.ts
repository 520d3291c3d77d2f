import { withNamedImages } from '../../http/paging/newest.js';
import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { inBatches } from '../../base/concurrency.js';
import { invalidField, missingField, ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { dayMs } from '../../base/units.js';
import { actAs, keepCaller, type Actor } from '../../database/fairness.js';
import type { Database } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { noteAct, type ActName } from '../../http/audit/acts.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { Batches } from '../../http/paging/batches.js';
import type { IndexQuery, Pages } from '../../http/paging/pages.js';
import { parseFolderTarget } from '../../http/request-fields.js';
import { assertFolderOpen } from '../tree/tree.js';
import type { Usage } from '../quota/usage.js';
import type { LinkKind } from './entity.js';
import * as queries from './links.sql.js';
import type { ChangedLink, LinkRow } from './links.sql.js';
import { hashPassword } from './password.js';
import type { LinkChanges, LinkRecord, NewLink } from './schemas.js';

/** Maximum number of links of one user, and how many deleted ones are remembered. */
const maxPerUser = 1_000;

const defaultDays = 30;

/** Bytes of the part of a URL that gives access. */
const secretBytes = 16;

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The path of a link's page. */
export const linkPath = (secret: string): string => `/s/${secret}`;

/** Whose links, and who works with them. */
export interface LinkOwner {
  readonly userId: string;
  /** The platform that the user must belong to. */
  readonly platformId?: string | undefined;
  readonly actor: Actor;
  /** Makes the path of a page absolute; null for whoever may not have what such a link opens. */
  readonly urlOf: (path: string, kind: LinkKind) => string | null;
}

interface LinkParts {
  readonly db: Database;
  readonly usage: Pick<Usage, 'lock' | 'of'>;
  readonly pages: Pages;
  readonly clock: WallClock;
  /** Encrypts the secret parts of URLs. */
  readonly master: MasterKey;
  /** Days for which a link may be open. */
  readonly maxDays: number;
}

/** The links of users for people without an account. */
export class Links {
  constructor(private readonly parts: LinkParts) {}

  /**
   * @throws ServiceError `user_not_found`, `folder_not_found`, `folder_in_trash`, `image_not_found`,
   *   `too_many_links`, `missing_field`, `invalid_field`.
   */
  async create(owner: LinkOwner, wanted: NewLink): Promise<LinkRecord> {
    await this.#assertOwner(owner);
    const { userId } = owner;
    const target = targetOf(wanted);
    const expiresAt = wanted.expires_at ?? this.#defaultExpiry();
    this.#assertExpiry(expiresAt);
    const secret = randomBytes(secretBytes).toString('base64url');
    const id = uuidv7();
    const link = {
      id,
      userId,
      kind: wanted.kind,
      ...target,
      secretHash: hashSecret(secret),
      sealedSecret: this.parts.master.seal(Buffer.from(secret), labelOf(id)),
      title: wanted.title ?? null,
      message: wanted.message ?? null,
      passwordHash: wanted.password ? await hash(wanted.password, owner) : null,
      allowDownload: wanted.allow_download ?? false,
      showPlace: wanted.show_place ?? false,
      expiresAt,
    };
    const row = await this.#change(owner, 'link.create', async (tx) => {
      await assertTarget(tx, userId, target);
      if ((await queries.countLinks(tx, userId)) >= maxPerUser) {
        throw new ServiceError('too_many_links', { details: { max: maxPerUser } });
      }
      return queries.insertLink(tx, link);
    });
    return this.#record(row, owner);
  }

  /** A page of the user's links, newest first. */
  async list(owner: LinkOwner, asked: IndexQuery) {
    const { db, pages } = this.parts;
    await this.#assertOwner(owner);
    const source = queries.linksOf(db, owner.userId);
    const { fields, rows } = await pages.ofRows(['links', owner.userId], asked, source);
    const record = (row: LinkRow): LinkRecord => this.#record(row, owner);
    const items = withNamedImages(db, 'links', rows, record);
    return { ...fields, items: new Batches(keepCaller(items)) };
  }

  /** @throws ServiceError `link_not_found`, `user_not_found`. */
  async get(owner: LinkOwner, id: string): Promise<LinkRecord> {
    await this.#assertOwner(owner);
    const row = isUuid(id) ? await queries.selectLink(this.parts.db, owner.userId, id) : undefined;
    return this.#record(row ?? unknown(), owner);
  }

  /** The user whose link it is. @throws ServiceError `link_not_found`. */
  async ownerOf(id: string): Promise<string> {
    const owner = isUuid(id) ? await queries.selectOwner(this.parts.db, id) : undefined;
    return owner ?? unknown();
  }

  /** @throws ServiceError `link_not_found`, `user_not_found`, `invalid_field`. */
  async update(owner: LinkOwner, id: string, changes: LinkChanges): Promise<LinkRecord> {
    await this.get(owner, id); // nothing is hashed for others
    const columns = await columnsOf(changes, owner);
    const row = await this.#change(owner, 'link.update', async (tx) => {
      const updated = isUuid(id)
        ? await queries.updateLink(tx, owner.userId, id, columns)
        : undefined;
      if (updated && changes.expires_at) this.#assertExpiry(changes.expires_at);
      return updated;
    });
    return this.#record(row, owner);
  }

  /** Ends a link for good. @throws ServiceError `link_not_found`, `user_not_found`. */
  async remove(owner: LinkOwner, id: string): Promise<LinkRecord> {
    const row = await this.#change(owner, 'link.delete', async (tx) => {
      const ended = isUuid(id) ? await queries.endLink(tx, owner.userId, id) : undefined;
      if (ended) await queries.forgetEnded(tx, owner.userId, maxPerUser);
      return ended;
    });
    return this.#record(row, owner);
  }

  /** @throws ServiceError `user_not_found` unless the owner belongs to the platform of the caller. */
  async #assertOwner({ userId, platformId }: LinkOwner): Promise<void> {
    await this.parts.usage.of(userId, platformId);
  }

  /** Changes a link under the user's lock, with an entry of the audit. */
  async #change(
    owner: LinkOwner,
    act: ActName,
    work: (tx: Queryable) => Promise<LinkRow | undefined>,
  ): Promise<LinkRow> {
    await this.#assertOwner(owner);
    const { userId, platformId, actor } = owner;
    return this.parts.db.transaction(async (tx) => {
      await this.parts.usage.lock(tx, userId);
      await actAs(tx, actor);
      const row = (await work(tx)) ?? unknown();
      await noteAct(tx, { act, platformId, userId, details: { link: row.id, kind: row.kind } });
      return row;
    });
  }

  #record(row: LinkRow, { urlOf }: LinkOwner): LinkRecord {
    const secret = this.#secretOf(row);
    const url = secret === null ? null : urlOf(linkPath(secret), row.kind as LinkKind);
    return recordOf(row, this.parts.clock, url);
  }

  /** The secret part of a link's URL; null for one of before, or of before a restore with another key. */
  #secretOf({ id, sealedSecret }: LinkRow): string | null {
    if (sealedSecret === null) return null;
    try {
      return this.parts.master.unseal(sealedSecret, labelOf(id)).toString();
    } catch {
      return null;
    }
  }

  #defaultExpiry(): Date {
    return new Date(Date.now() + Math.min(defaultDays, this.parts.maxDays) * dayMs);
  }

  #assertExpiry(expiresAt: Date): void {
    const { maxDays } = this.parts;
    const left = expiresAt.getTime() - Date.now();
    if (left > 0 && left <= maxDays * dayMs) return;
    throw invalidField('expires_at', `within the next ${maxDays} days (links.max_days)`);
  }
}

/** The label that binds a sealed secret to its link. */
const labelOf = (id: string): string => `link ${id}`;

function unknown(): never {
  throw new ServiceError('link_not_found');
}

type Target =
  | { readonly folderId: string; readonly imageIds: null }
  | { readonly folderId: null; readonly imageIds: string[] };

/** @throws ServiceError unless there is exactly one target, and one that the kind allows. */
function targetOf({ kind, folder_id, image_ids }: NewLink): Target {
  const folderId = parseFolderTarget(folder_id) ?? null;
  if (image_ids === undefined) {
    if (folderId === null) {
      throw missingField('folder_id', kind === 'request' ? undefined : 'folder_id or image_ids');
    }
    return { folderId, imageIds: null };
  }
  if (kind === 'request') throw invalidField('image_ids', 'omitted: a request is for a folder');
  if (folderId !== null) throw invalidField('image_ids', 'omitted where folder_id is given');
  return { folderId, imageIds: [...new Set(image_ids)] };
}

/** @throws ServiceError `folder_not_found`, `folder_in_trash`, `image_not_found`. */
async function assertTarget(tx: Queryable, userId: string, target: Target): Promise<void> {
  if (target.folderId !== null) return assertFolderOpen(tx, userId, target.folderId);
  const unusable = target.imageIds.every((id) => isUuid(id))
    ? await queries.selectUnusable(tx, userId, target.imageIds)
    : target.imageIds.filter((id) => !isUuid(id));
  if (unusable.length === 0) return;
  throw new ServiceError('image_not_found', {
    field: 'image_ids',
    message: 'Some of the images do not exist or are in the trash.',
    details: { image_ids: unusable },
  });
}

const hash = (password: string, { userId, platformId }: LinkOwner): Promise<Buffer> =>
  hashPassword(password, { platformId: platformId ?? userId, caller: userId });

/** The columns that a request changes. */
async function columnsOf(changes: LinkChanges, owner: LinkOwner): Promise<ChangedLink> {
  const { title, message, password, state } = changes;
  const given = {
    title,
    message,
    passwordHash: password ? await hash(password, owner) : password,
    expiresAt: changes.expires_at,
    allowDownload: changes.allow_download,
    showPlace: changes.show_place,
    isPaused: state && state === 'paused',
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** How long it is remembered that a deleted link was there. */
const endedDays = 90;

/** Deleted links forgotten in one statement. */
const endedAtOnce = 1_000;

/** Forgets links that were deleted long ago. @returns how many. */
export async function forgetEndedLinks(
  db: Queryable,
  signal: AbortSignal,
): Promise<{ links: number }> {
  const forget = () => queries.forgetEndedBefore(db, endedDays, endedAtOnce);
  return { links: await inBatches(endedAtOnce, signal, forget) };
}

/** A link as represented in the API. @param url null: it is not shown. */
const recordOf = (row: LinkRow, clock: WallClock, url: string | null): LinkRecord => ({
  id: row.id,
  url,
  kind: row.kind as LinkKind,
  folder_id: row.folderId,
  image_ids: row.imageIds,
  title: row.title,
  message: row.message,
  has_password: row.hasPassword,
  allow_download: row.allowDownload,
  show_place: row.showPlace,
  state: row.expiresAt.getTime() <= Date.now() ? 'expired' : row.isPaused ? 'paused' : 'active',
  expires_at: clock.format(row.expiresAt),
  visits: row.visits,
  last_visit_at: row.lastVisitAt && clock.format(row.lastVisitAt),
  arrivals: row.arrivals,
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
});
