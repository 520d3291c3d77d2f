import type { components } from '../../core/api';
import { newKey } from '../../core/new-key';
import type { Access } from './access';
import { deleteCustom, deleteMemo, saveCustom, saveMemo } from './annotations';
import type { Pair } from './annotations';
import type { Folder, Image, Item } from './listing';
import { root } from './tree/tree';

type DeletedFolders = components['schemas']['DeletedFolders'];

/** Requests that are sent at once. */
const atOnce = 4;

/** The outcome of an action on several items. */
export interface Outcome<Result = unknown> {
  /** Those that it was done to, as they were before, and what came of it. */
  readonly done: ReadonlyMap<Item, Result>;
  readonly failed: number;
  /** The problem of the first that failed. */
  readonly problem: unknown;
}

/** Applies `work` to each, a few at a time; a failure does not stop the others. */
async function each<Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Outcome<Result>> {
  const waiting = [...items].values();
  const done = new Map<Item, Result>();
  const problems: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      try {
        done.set(item, await work(item));
      } catch (problem) {
        problems.push(problem);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { done, failed: problems.length, problem: problems[0] };
}

/** The API represents the top level as a blank. */
const parentField = (folderId: string): string => (folderId === root ? ' ' : folderId);

export function move(access: Access, items: readonly Item[], to: string): Promise<Outcome> {
  const others = items.filter(({ data }) => data.id !== to);
  return each(others, (item) => moveOne(access, item, to));
}

/** Moves items back to where they were. */
export const moveBack = (access: Access, items: Iterable<Item>): Promise<Outcome> =>
  each(items, (item) => {
    const { is_folder: isFolder, data } = item;
    return moveOne(access, item, (isFolder ? data.parent_id : data.folder_id) ?? root);
  });

const moveOne = (
  access: Access,
  { is_folder: isFolder, data: { id } }: Item,
  to: string,
): Promise<unknown> =>
  isFolder
    ? updateFolder(access, id, { parent_id: parentField(to) })
    : updateImage(access, id, { folder_id: parentField(to) });

/** Moves items to the trash, or restores them. */
export function trash(access: Access, items: Iterable<Item>, into = true): Promise<Outcome> {
  const wanted = into ? 'True' : 'False';
  return each<unknown>(items, ({ is_folder, data: { id } }) =>
    is_folder ? updateFolder(access, id, {}, wanted) : updateImage(access, id, { delete: wanted }),
  );
}

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

export const change = (
  access: Access,
  items: readonly Item[],
  changes: Changes,
): Promise<Outcome> => each(items, ({ data: { id } }) => updateImage(access, id, changes));

/** Changes the same fields back to what they were. */
export const changeBack = (
  access: Access,
  items: Iterable<Item>,
  changes: Changes,
): Promise<Outcome> =>
  each<unknown>(items, ({ is_folder: isFolder, data }) =>
    isFolder ? Promise.resolve() : updateImage(access, data.id, earlier(data, changes)),
  );

/** An empty text clears a field. Coordinates have no type for it in the OpenAPI document. */
function earlier(image: Image, changes: Changes): Changes {
  const nothing = '' as unknown as number;
  const given = addressNames.filter((name) => changes[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, image[name] ?? ''])),
    ...(changes.latitude !== undefined && {
      latitude: image.lat ?? nothing,
      longitude: image.lng ?? nothing,
    }),
    ...(changes.is_shared && { is_shared: image.is_shared ? 'True' : 'False' }),
  };
}

/** Results in the id of each memo. */
export const addMemo = (
  access: Access,
  items: readonly Item[],
  message: string,
): Promise<Outcome<string>> =>
  each(items, async ({ data: { id } }) => {
    const { memos } = await saveMemo(access, id, message, { once: newKey() });
    return memos?.findLast((memo) => memo.message === message)?.id ?? '';
  });

export const removeMemos = (access: Access, added: ReadonlyMap<Item, string>): Promise<Outcome> =>
  each(added.keys(), (item) => deleteMemo(access, item.data.id, added.get(item) ?? ''));

/** Results in the id of each custom value. */
export const addCustom = (
  access: Access,
  items: readonly Item[],
  pair: Pair,
): Promise<Outcome<string>> =>
  each(items, async ({ data: { id } }) => {
    const custom = await saveCustom(access, id, pair, { once: newKey() });
    return custom.id;
  });

export const removeCustoms = (access: Access, added: ReadonlyMap<Item, string>): Promise<Outcome> =>
  each(added.keys(), (item) => deleteCustom(access, item.data.id, added.get(item) ?? ''));

/** Deletes images in the trash for good. */
export const deleteNow = (access: Access, items: readonly Item[]): Promise<Outcome> =>
  each(items, ({ data: { id: image_id } }) =>
    access.call((client) =>
      client.DELETE('/api/v1/users/{user_id}/trash/{image_id}', {
        params: { path: { user_id: access.userId, image_id } },
      }),
    ),
  );

export type EmptiedTrash = components['schemas']['EmptiedTrash'];

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

/** The folders that were trashed by themselves. */
export const trashedFolders = (access: Access, signal: AbortSignal): Promise<Folder[]> =>
  access.call((client) =>
    client.GET('/api/v1/users/{user_id}/folders', {
      params: { path: { user_id: access.userId }, query: { has_delete_at: 'True' } },
      signal,
    }),
  );

/** Deletes a folder and everything in it for good. */
export const deleteFolder = (access: Access, folder_id: string): Promise<DeletedFolders> =>
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

const updateImage = (
  access: Access,
  image_id: string,
  body: Changes & { readonly folder_id?: string; readonly delete?: 'True' | 'False' },
): Promise<unknown> =>
  access.call((client) =>
    client.PUT('/api/v1/users/{user_id}/images/{image_id}', {
      params: { path: { user_id: access.userId, image_id } },
      body,
    }),
  );
