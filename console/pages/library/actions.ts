import { answered } from '../../core/api';
import type { components } from '../../core/api';
import { Problem } from '../../core/problem';
import type {
  Archive,
  ArchiveOf,
  Batch,
  BatchResult,
} from '../../../clients/typescript/src/index.js';
import type { Access } from './access';
import { deleteMemo } from './annotations';
import type { Pair } from './annotations';
import { pagesOf } from './listing';
import type { Folder, Image, Things } from './listing';
import { root } from './tree/tree';

type Schemas = components['schemas'];

/** Images of one request. */
const atOnce = 1_000;
/** Requests about single images that are sent at once. */
const lanes = 4;

/** The outcome of an action on several things. */
export interface Outcome {
  /** How many are now as they were to be. */
  readonly done: number;
  /** Images that were different before. */
  readonly changed: readonly string[];
  readonly failed: number;
  /** The first problem. */
  readonly problem: unknown;
  /** Takes it back. */
  readonly back?: () => Promise<Outcome>;
}

/** Is told how many images are done with, while others are not. @returns whether to go on. */
export type Progress = (done: number) => boolean;

const nothing: Outcome = { done: 0, changed: [], failed: 0, problem: undefined };

const sumOf = (one: Outcome, other: Outcome): Outcome => ({
  done: one.done + other.done,
  changed: [...one.changed, ...other.changed],
  failed: one.failed + other.failed,
  problem: one.problem ?? other.problem,
});

/** What changes: the same for all, or each by its own. */
type Fields = Omit<Batch, 'image_ids' | 'changes'>;
type Own = Fields & { readonly image_id: string };

const send = (access: Access, body: Batch): Promise<BatchResult> =>
  access.call((client) => answered(client.batch(access.userId, body)));

/** The images that a refused request names. */
function offendersOf(problem: unknown): ReadonlySet<string> {
  const named = problem instanceof Problem ? problem.details['offenders'] : undefined;
  const offenders = Array.isArray(named) ? (named as readonly { readonly image_id: string }[]) : [];
  return new Set(offenders.map(({ image_id: id }) => id));
}

/** Changes images, many with each request: all of those that can be changed. */
async function each<Item extends string | Own>(
  access: Access,
  items: readonly Item[],
  bodyOf: (items: Item[]) => Batch,
  onStep: Progress = () => true,
  onResult: (result: BatchResult) => void = () => undefined,
): Promise<Outcome> {
  const idOf = (item: Item): string => (typeof item === 'string' ? item : item.image_id);
  let outcome = nothing;
  for (let at = 0; at < items.length; at += atOnce) {
    let part = items.slice(at, at + atOnce);
    while (part.length > 0) {
      try {
        const result = await send(access, bodyOf(part));
        const { count: done, changed } = result;
        onResult(result);
        outcome = sumOf(outcome, { ...nothing, done, changed });
        break;
      } catch (problem) {
        const offenders = offendersOf(problem);
        const left = part.filter((item) => !offenders.has(idOf(item)));
        const isOver = left.length === part.length;
        const failed = isOver ? items.length - at : part.length - left.length;
        outcome = sumOf(outcome, { ...nothing, failed, problem });
        if (isOver) return outcome;
        part = left;
      }
    }
    if (at + atOnce < items.length && !onStep(at + atOnce)) break;
  }
  return outcome;
}

const same = (
  access: Access,
  ids: readonly string[],
  fields: Fields,
  onStep?: Progress,
): Promise<Outcome> => each(access, ids, (image_ids) => ({ ...fields, image_ids }), onStep);

const own = (access: Access, changes: readonly Own[]): Promise<Outcome> =>
  each(access, changes, (part) => ({ changes: part }));

/** Images as they are before something is done to them: those that are still there. */
async function recordsOf(
  access: Access,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Image>> {
  const found = new Map<string, Image>();
  const bodyOf = (image_ids: string[]): Batch => ({ image_ids, with_records: 'True' });
  await each(access, ids, bodyOf, undefined, ({ images = [] }) => {
    for (const image of images) found.set(image.id, image as Image);
  });
  return found;
}

/** The API represents the top level as a blank. */
const parentField = (folderId: string): string => (folderId === root ? ' ' : folderId);

export async function move(
  access: Access,
  { images, folder }: Things,
  to: string,
  onStep: Progress,
): Promise<Outcome> {
  if (folder) return moveFolder(access, folder, to);
  const before = await recordsOf(access, images);
  const outcome = await same(access, images, { folder_id: parentField(to) }, onStep);
  const back = outcome.changed.flatMap((image_id) => {
    const image = before.get(image_id);
    return image ? [{ image_id, folder_id: parentField(image.folder_id ?? root) }] : [];
  });
  return { ...outcome, back: () => own(access, back) };
}

async function moveFolder(access: Access, folder: Folder, to: string): Promise<Outcome> {
  if (folder.id === to) return nothing;
  await updateFolder(access, folder.id, { parent_id: parentField(to) });
  const back = (): Promise<Outcome> => moveFolder(access, folder, folder.parent_id ?? root);
  return { ...nothing, done: 1, back };
}

/** Moves things to the trash, or restores them. */
export async function trash(
  access: Access,
  { images, folder }: Things,
  isInto: boolean,
  onStep?: Progress,
): Promise<Outcome> {
  const flag = isInto ? 'True' : 'False';
  if (folder) await updateFolder(access, folder.id, {}, flag);
  const outcome = await same(access, images, { delete: flag }, onStep);
  const changed = { images: outcome.changed, ...(folder && { folder }) };
  return {
    ...outcome,
    done: outcome.done + (folder ? 1 : 0),
    back: () => trash(access, changed, !isInto),
  };
}

export const addressNames = [
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
] as const;

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** What an action changes of several images. */
export type Changes = Partial<
  Place & Record<(typeof addressNames)[number], string> & { readonly is_shared: 'True' | 'False' }
>;

export async function change(
  access: Access,
  ids: readonly string[],
  changes: Changes,
  onStep: Progress,
): Promise<Outcome> {
  const before = await recordsOf(access, ids);
  const outcome = await same(access, ids, changes, onStep);
  const back = outcome.changed.flatMap((image_id) => {
    const image = before.get(image_id);
    return image ? [{ image_id, ...earlier(image, changes) }] : [];
  });
  return { ...outcome, back: () => own(access, back) };
}

/** An empty text clears a field. Coordinates have no type for it in the OpenAPI document. */
function earlier(image: Image, changes: Changes): Changes {
  const none = '' as unknown as number;
  const given = addressNames.filter((name) => changes[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, image[name] ?? ''])),
    ...(changes.latitude !== undefined && {
      latitude: image.lat ?? none,
      longitude: image.lng ?? none,
    }),
    ...(changes.is_shared && { is_shared: image.is_shared ? 'True' : 'False' }),
  };
}

export async function addMemo(
  access: Access,
  ids: readonly string[],
  message: string,
  onStep: Progress,
): Promise<Outcome> {
  const outcome = await same(access, ids, { message }, onStep);
  return { ...outcome, back: () => removeMemos(access, outcome.changed, message) };
}

/** Deletes the newest memo that says this. */
async function removeMemos(
  access: Access,
  ids: readonly string[],
  message: string,
): Promise<Outcome> {
  const waiting = ids.values();
  let outcome = nothing;
  const remove = async (image_id: string): Promise<Outcome> => {
    const params = {
      path: { user_id: access.userId, image_id },
      query: { with_memo: 'True' as const },
    };
    const { memos } = await access.call((client) =>
      client.GET('/api/v1/users/{user_id}/images/{image_id}', { params }),
    );
    const memo = memos?.findLast((each) => each.message === message);
    if (memo) await deleteMemo(access, image_id, memo.id);
    return { ...nothing, done: 1 };
  };
  const lane = async (): Promise<void> => {
    for (const id of waiting) {
      const step = await remove(id).catch((problem: unknown) => ({
        ...nothing,
        failed: 1,
        problem,
      }));
      outcome = sumOf(outcome, step);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcome;
}

/** Sets a custom value, in place of one that an image has under the same key. */
export async function addCustom(
  access: Access,
  ids: readonly string[],
  { key, value }: Pair,
  onStep: Progress,
): Promise<Outcome> {
  const before = new Map<string, string>();
  const having = { custom_key: key, with_custom: 'True' as const };
  for await (const images of pagesOf(access, having)) {
    for (const { id, customs } of images) {
      const custom = customs?.find((each) => each.key === key);
      if (custom) before.set(id, custom.value);
    }
  }
  const outcome = await same(access, ids, { customs: { [key]: value } }, onStep);
  const back = outcome.changed.map((image_id) => ({
    image_id,
    customs: { [key]: before.get(image_id) ?? null },
  }));
  return { ...outcome, back: () => own(access, back) };
}

/** Deletes images in the trash for good. */
export const deleteNow = (
  access: Access,
  ids: readonly string[],
  onStep: Progress,
): Promise<Outcome> => same(access, ids, { purge: 'True' }, onStep);

export type EmptiedTrash = Schemas['EmptiedTrash'];

/**
 * Deletes everything in the trash for good, some of it with each request, until nothing is left or
 * the reader has seen enough. @returns how many images and folders.
 */
export async function emptyTrash(
  access: Access,
  onStep: (step: EmptiedTrash) => void,
  signal: AbortSignal,
): Promise<{ readonly images: number; readonly folders: number }> {
  const deleted = { images: 0, folders: 0 };
  while (!signal.aborted) {
    const step = await access.call((client) =>
      client.DELETE('/api/v1/users/{user_id}/trash', {
        params: { path: { user_id: access.userId } },
      }),
    );
    deleted.images += step.deleted_images;
    deleted.folders += step.deleted_folders;
    onStep(step);
    // What cannot go now would not go with the next request either.
    const [gone, left] = [step.deleted_images + step.deleted_folders, step.remaining_images];
    if (gone === 0 || left + step.remaining_folders === 0) break;
  }
  return deleted;
}

/** Everything in a folder, or images. */
export const archiveOf = ({ images, folder }: Things): ArchiveOf =>
  folder ? { folder_id: folder.id, with_subfolders: 'True' } : { image_ids: [...images] };

export const archive = (access: Access, of: ArchiveOf): Promise<Archive> =>
  access.call((client) => answered(client.archive(access.userId, of)));

export const rename = (access: Access, id: string, title: string): Promise<Folder> =>
  updateFolder(access, id, { title });

export function createFolder(access: Access, parent: string, title: string): Promise<Folder> {
  const body = { title, ...(parent !== root && { parent_id: parent }) };
  return access.call((client) =>
    client.POST('/api/v1/users/{user_id}/folders', {
      params: { path: { user_id: access.userId } },
      body,
    }),
  );
}

/** Deletes a folder and everything in it for good. */
export const deleteFolder = (
  access: Access,
  folder_id: string,
): Promise<Schemas['DeletedFolders']> =>
  access.call((client) =>
    client.DELETE('/api/v1/users/{user_id}/folders/{folder_id}', {
      params: { path: { user_id: access.userId, folder_id } },
    }),
  );

function updateFolder(
  access: Access,
  folder_id: string,
  body: { readonly title?: string; readonly parent_id?: string },
  wanted?: 'True' | 'False',
): Promise<Folder> {
  return access.call((client) =>
    client.PUT('/api/v1/users/{user_id}/folders/{folder_id}', {
      params: {
        path: { user_id: access.userId, folder_id },
        query: { ...(wanted && { delete: wanted }) },
      },
      body,
    }),
  );
}
