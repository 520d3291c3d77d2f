import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type ErrorCode, ServiceError } from '../../../base/errors/catalogue.js';
import { type Actor, actAs } from '../../../database/fairness.js';
import type { Database } from '../../../database/joint-transaction.js';
import type { ManyAnnotations } from '../../annotations/many.js';
import type { Usage } from '../../quota/usage.js';
import { deleteImages } from '../../tree/trash.js';
import { assertFolderOpen } from '../../tree/tree.js';
import type { Batch, Change } from './batch-fields.js';
import { patchImages, selectFolderStates } from './batch.sql.js';
import { selectStates } from './update.sql.js';

/** Offenders that an error names. */
const maxOffenders = 100;

interface BatchParts {
  readonly db: Database;
  readonly usage: Usage;
  readonly annotations: ManyAnnotations;
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
    const { annotations } = this.parts;
    const offences: Offences = new Map();
    const targets = await targetsOf(tx, userId, batch, offences);
    await checkFolders(tx, userId, batch, targets, offences);
    const notes = await annotations.plan(
      tx,
      userId,
      targets.map(({ id, change }) => ({ ...change, imageId: id })),
      (id, code) => offend(offences, id, code),
    );
    refuse(batch, offences);
    const purged = targets.filter(({ change }) => change.purge).map(({ id }) => id);
    if (purged.length > 0) await deleteImages(tx, userId, purged);
    const rest = targets.filter(({ change }) => !change.purge);
    const places = { ids: rest.map(({ id }) => id), places: rest.map(({ place }) => place) };
    const patched = await patchImages(tx, userId, places, batch.changes);
    await annotations.write(tx, userId, notes);
    return new Set([...purged, ...patched, ...notes.imageIds]);
  }
}

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
