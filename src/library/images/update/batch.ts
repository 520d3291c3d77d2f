import type { EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type ErrorCode, ServiceError } from '../../../base/errors/catalogue.js';
import { bytesPerMegabyte } from '../../../base/units.js';
import { type Actor, actAs } from '../../../database/fairness.js';
import type { Database } from '../../../database/joint-transaction.js';
import * as notes from '../../annotations/annotations.sql.js';
import type { Usage } from '../../quota/usage.js';
import { deleteImages } from '../../tree/bulk-changes.sql.js';
import { assertFolderOpen } from '../../tree/tree.js';
import type { Batch, Change } from './batch-fields.js';
import { patchImages, selectFolderStates } from './batch.sql.js';
import { selectStates } from './update.sql.js';

/** Bytes of all texts that a batch writes. */
const maxTextBytes = 8 * bytesPerMegabyte;
/** Offenders that an error names. */
const maxOffenders = 100;

interface BatchParts {
  readonly db: Database;
  readonly usage: Usage;
  readonly limits: notes.AnnotationLimits;
}

interface Owner {
  readonly userId: string;
  /** The platform that the user must belong to. */
  readonly platformId: string | undefined;
  readonly actor: Actor;
}

/** An image that is changed. */
interface Target {
  readonly id: string;
  /** Its place among the changes. */
  readonly place: number;
  readonly change: Change;
}

/** Why images cannot be changed, by their ids. */
type Offences = Map<string, ErrorCode>;

/** Changes up to 1,000 images in one transaction: all, or none. */
export class BatchChanges {
  constructor(private readonly parts: BatchParts) {}

  /** @throws ServiceError `user_not_found` for one of another platform. */
  async assertOwn({ userId, platformId }: Owner): Promise<void> {
    await this.parts.usage.of(userId, platformId);
  }

  /**
   * @returns the ids of the images that differ now. @throws ServiceError `user_not_found`, and whatever a single
   *   change throws; `details.offenders` names the images at fault.
   */
  run(owner: Owner, batch: Batch): Promise<ReadonlySet<string>> {
    const { db, usage } = this.parts;
    return usage.platformLimits.retrying(() =>
      db.transaction(async (tx) => {
        await usage.lock(tx, owner.userId);
        await actAs(tx, owner.actor);
        return this.#change(tx, owner.userId, batch);
      }),
    );
  }

  async #change(tx: EntityManager, userId: string, batch: Batch): Promise<ReadonlySet<string>> {
    const offences: Offences = new Map();
    const targets = await targetsOf(tx, userId, batch, offences);
    await checkFolders(tx, userId, batch, targets, offences);
    const customs = await this.#plan(tx, userId, targets, offences);
    refuse(batch, offences);
    const purged = targets.filter(({ change }) => change.purge).map(({ id }) => id);
    if (purged.length > 0) await deleteImages(tx, userId, purged);
    const rest = targets.filter(({ change }) => !change.purge);
    const places = { ids: rest.map(({ id }) => id), places: rest.map(({ place }) => place) };
    const patched = await patchImages(tx, userId, places, batch.changes);
    const annotated = await this.#annotate(tx, userId, rest, customs);
    return new Set([...purged, ...patched, ...annotated]);
  }

  /** What is to be done to customs. */
  async #plan(
    tx: EntityManager,
    userId: string,
    targets: readonly Target[],
    offences: Offences,
  ): Promise<PlannedCustoms> {
    const ids = targets.map(({ id }) => id);
    const keys = [...new Set(targets.flatMap(({ change }) => change.customs.map(([key]) => key)))];
    const found = keys.length > 0 ? await notes.selectCustomsByKey(tx, userId, ids, keys) : [];
    const there = new Map(found.map((custom) => [`${custom.imageId} ${custom.key}`, custom]));
    const plan: PlannedCustoms = { removed: [], set: [], added: [], imageIds: new Set() };
    const more = new Map<string, { customs: number; bytes: number }>();
    for (const { id, change } of targets) {
      const own = { customs: 0, bytes: Buffer.byteLength(change.message?.message ?? '') };
      more.set(id, own);
      for (const [key, value] of change.customs) {
        const custom = there.get(`${id} ${key}`);
        if (custom && custom.count > 1) offend(offences, id, 'custom_ambiguous');
        else planCustom(plan, own, { imageId: id, key, value, custom });
      }
    }
    await this.#checkLimits(tx, targets, more, offences);
    return plan;
  }

  /** What an image may carry; the triggers check the same, but say not of which image. */
  async #checkLimits(
    tx: EntityManager,
    targets: readonly Target[],
    more: ReadonlyMap<string, { readonly customs: number; readonly bytes: number }>,
    offences: Offences,
  ): Promise<void> {
    const noted = targets.filter(({ change }) => change.message || change.customs.length > 0);
    if (noted.length === 0) return;
    const written = noted.reduce((sum, { change }) => sum + bytesOf(change), 0);
    if (written > maxTextBytes) {
      const message = 'A batch writes at most 8 MB of text; make several of it.';
      throw new ServiceError('too_much_text', { message });
    }
    const { limits } = this.parts;
    const totals = await notes.selectTotals(
      tx,
      noted.map(({ id }) => id),
    );
    const had = new Map(totals.map((total) => [total.imageId, total]));
    for (const { id, change } of noted) {
      const { memos = 0, customs = 0, textBytes = 0 } = had.get(id) ?? {};
      const added = more.get(id) ?? { customs: 0, bytes: 0 };
      if (change.message && memos + 1 > limits.memos) offend(offences, id, 'too_many_memos');
      if (added.customs > 0 && customs + added.customs > limits.customs) {
        offend(offences, id, 'too_many_customs');
      }
      if (added.bytes > 0 && textBytes + added.bytes > limits.textBytes) {
        offend(offences, id, 'too_much_text');
      }
    }
  }

  /** @returns the ids of the images whose notes have changed. */
  async #annotate(
    tx: EntityManager,
    userId: string,
    targets: readonly Target[],
    customs: PlannedCustoms,
  ): Promise<string[]> {
    const { limits, usage } = this.parts;
    const refused = (field: string) => (error: unknown) => {
      throw notes.limitErrorOf(error, { field, limits, platformLimits: usage.platformLimits });
    };
    await notes.changeCustoms(tx, userId, customs, limits).catch(refused('customs'));
    const noted = targets.filter(({ change }) => change.message);
    if (noted.length > 0) {
      const texts = [...new Set(noted.flatMap(({ change }) => change.message ?? []))];
      const memos = {
        ids: noted.map(() => uuidv7()),
        imageIds: noted.map(({ id }) => id),
        places: noted.map(({ change }) => (change.message ? texts.indexOf(change.message) : 0)),
        texts,
      };
      await notes.insertMemos(tx, userId, memos, limits).catch(refused('message'));
    }
    return [...customs.imageIds, ...noted.map(({ id }) => id)];
  }
}

const bytesOf = ({ message, customs }: Change): number =>
  customs.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''),
    Buffer.byteLength(message?.message ?? ''),
  );

/** The images that the user has, in the state that their changes need. */
async function targetsOf(
  tx: EntityManager,
  userId: string,
  { ids, places, changes }: Batch,
  offences: Offences,
): Promise<Target[]> {
  const known = ids.filter((id) => isUuid(id));
  const states = await selectStates(tx, userId, known);
  const trashed = new Map(states.map((state) => [state.id, state.trashed]));
  return ids.flatMap((id, n): Target[] => {
    const place = places[n] ?? 0;
    const change = typeof place === 'number' ? changes[place] : undefined;
    const inTrash = trashed.get(id);
    if (inTrash === undefined) offend(offences, id, 'image_not_found');
    else if (typeof place === 'string') offend(offences, id, place as ErrorCode);
    else if (change?.purge && !inTrash) offend(offences, id, 'image_not_in_trash');
    else if (change) return [{ id, place, change }];
    return [];
  });
}

/** @throws ServiceError for the folder of all. */
async function checkFolders(
  tx: EntityManager,
  userId: string,
  { isShared, changes }: Batch,
  targets: readonly Target[],
  offences: Offences,
): Promise<void> {
  const folderOf = ({ given }: Change) => given.folder_id as string | null | undefined;
  const wanted = [...new Set(changes.flatMap((change) => folderOf(change) ?? []))];
  if (wanted.length === 0) return;
  if (isShared) {
    if (offences.size === 0) await assertFolderOpen(tx, userId, wanted[0] ?? '');
    return;
  }
  const found = await selectFolderStates(
    tx,
    userId,
    wanted.filter((id) => isUuid(id)),
  );
  const trashed = new Map(found.map((folder) => [folder.id, folder.trashed]));
  for (const { id, change } of targets) {
    const folder = folderOf(change);
    if (typeof folder !== 'string') continue;
    const inTrash = trashed.get(folder);
    if (inTrash !== false) {
      offend(offences, id, inTrash === undefined ? 'folder_not_found' : 'folder_in_trash');
    }
  }
}

/** The first one of an image is told. */
function offend(offences: Offences, id: string, code: ErrorCode): void {
  if (!offences.has(id)) offences.set(id, code);
}

/** @throws ServiceError with the code of the first image at fault. */
function refuse({ ids, isShared }: Batch, offences: Offences): void {
  const offenders = ids.flatMap((id) => {
    const code = offences.get(id);
    return code === undefined ? [] : [{ image_id: id, code }];
  });
  const [first] = offenders;
  if (!first) return;
  throw new ServiceError(first.code, {
    field: isShared ? 'image_ids' : 'changes',
    message: `Nothing was changed, since ${offenders.length} of the images cannot be: ${first.image_id} is the first (${first.code}).`,
    details: { offenders: offenders.slice(0, maxOffenders) },
  });
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

interface PlannedCustoms extends Mutable<notes.CustomChanges> {
  /** Images whose customs change. */
  readonly imageIds: Set<string>;
}

/** What becomes of the custom that an image has under a key, or does not have. */
function planCustom(
  plan: PlannedCustoms,
  more: { customs: number; bytes: number },
  wanted: {
    readonly imageId: string;
    readonly key: string;
    readonly value: string | null;
    readonly custom: notes.KeyedCustom | undefined;
  },
): void {
  const { imageId, key, value, custom } = wanted;
  if (value === (custom?.value ?? null)) return;
  plan.imageIds.add(imageId);
  more.bytes += Buffer.byteLength(value ?? '') - Buffer.byteLength(custom?.value ?? '');
  if (custom && value !== null) plan.set.push({ id: custom.id, value });
  else if (custom) {
    plan.removed.push(custom.id);
    more.customs -= 1;
    more.bytes -= Buffer.byteLength(key);
  } else if (value !== null) {
    plan.added.push({ id: uuidv7(), imageId, key, value });
    more.customs += 1;
    more.bytes += Buffer.byteLength(key);
  }
}
