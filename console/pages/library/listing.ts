import type { Answer, components } from '../../core/api';
import { apiDay } from '../../core/days';
import type { Access } from './access';
import { isPlainFolder, queryOf } from './view';
import type { View } from './view';

type Schemas = components['schemas'];
export type Image = Schemas['Image'];
export type Folder = Schemas['Folder'];
/** An image or a folder, as the API tells them apart. */
export type Item = Schemas['FolderEntry'] | Schemas['ImageEntry'];
export type ImageItem = Schemas['ImageEntry'];

export interface Slice {
  readonly total: number;
  readonly megabytes: number;
  readonly items: readonly ImageItem[];
  /** For a folder: the folders in it. */
  readonly folders?: readonly Folder[];
  /** For a folder: the titles and ids of its path from the top. */
  readonly path?: readonly { readonly id: string; readonly title: string }[];
}

/** A list of images, the newest first, that can be read from any position. */
export interface Listing {
  /** Identifies the list. */
  readonly key: string;
  read(start: number, count: number, signal?: AbortSignal): Promise<Slice>;
  /** How many of its images are of a period, whose days are inclusive; for lists that know it. */
  readonly countIn?: (period: Period, signal?: AbortSignal) => Promise<number>;
}

/** Days, `YYYY-MM-DD`; without one, no limit. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** Maximum items per page of the API. */
export const maxPageSize = 1_000;

export interface Part {
  readonly start: number;
  readonly count: number;
  readonly signal: AbortSignal | undefined;
}

/** The day of an image in the list, `YYYYMMDD`: when it was taken, or else stored. */
export const dayOf = ({ taken_at: taken, created_at: created }: Image): string =>
  (taken ?? created).slice(0, 8);

export function listingOf(access: Access, view: View): Listing {
  const key = `${access.userId}${queryOf(view)}`;
  const { folder } = view;
  if (folder !== undefined && isPlainFolder(view)) return folderListing(access, folder, key);
  return {
    key,
    read: (start, count, signal) => readImages(access, view, { start, count, signal }),
    countIn: (period, signal) => countIn(access, view, period, signal),
  };
}

async function readImages(access: Access, view: View, part: Part): Promise<Slice> {
  const [result, path] = await Promise.all([
    request(access, view, part),
    view.folder === undefined ? undefined : readPath(access, view.folder, part.signal),
  ]);
  return {
    ...(path && { path }),
    total: result.total_count,
    megabytes: result.total_filesize_mb,
    items: result.items.map((data) => ({ is_folder: false as const, data })),
  };
}

async function countIn(access: Access, view: View, period: Period, signal?: AbortSignal) {
  const from = [view.from, period.from ?? ''].sort().at(-1) ?? '';
  const to = [view.to, period.to ?? ''].filter(Boolean).sort()[0] ?? '';
  if (from && to && from > to) return 0;
  const part = { start: 0, count: 1, signal };
  return (await request(access, { ...view, from, to }, part)).total_count;
}

function request(access: Access, view: View, { start, count, signal }: Part) {
  const { folder, search, searchIn, detailed, placed, camera, set, from, to, trash } = view;
  return access.call(async (client) => {
    const answer = await client.GET('/api/v1/users/{user_id}/images', {
      params: {
        path: { user_id: access.userId },
        query: {
          sort_by: 'taken_at',
          has_delete_at: trash ? 'True' : 'False',
          ...(search && { search, search_type: searchIn }),
          ...(folder !== undefined && {
            folder_id: folder,
            with_subfolders: view.below ? ('True' as const) : ('False' as const),
          }),
          ...(detailed && { has_det: detailed }),
          ...(placed && { located: placed }),
          ...(camera && { camera }),
          ...(set && { upload_set_id: set }),
          ...(view.customKey && { custom_key: view.customKey }),
          ...(view.customValue && { custom_value: view.customValue }),
          ...((from || to) && {
            search_date_by: 'taken_at' as const,
            days_or_date_range: 'date_range' as const,
            start_date: apiDay(from || '1000-01-01'),
            end_date: apiDay(to || '2999-12-31'),
          }),
          last_index: start,
          page_size: count,
        },
      },
      ...(signal && { signal }),
    });
    // The type covers other views as well: a ZIP and a list of days.
    return answer as Answer<Schemas['ImageList']>;
  });
}

/** Folders of one folder that are shown. */
const maxFolders = 1_000;

interface Inside {
  readonly folders: readonly Folder[];
  /** All of them, also those beyond the maximum. */
  readonly count: number;
}

/**
 * The images of a folder. The API lists the folders in it before them, so that images begin at the
 * index that is the number of folders.
 */
function folderListing(access: Access, id: string, key: string): Listing {
  let inside: Inside | undefined;
  const read = async (part: Part, again = true): Promise<Slice> => {
    if (!inside || part.start === 0) inside = await readFolders(access, id, part.signal);
    const { folders, count } = inside;
    const result = await readContents(access, id, { ...part, start: count + part.start });
    if (again && result.items.some(({ is_folder: isFolder }) => isFolder)) {
      // Others have made one meanwhile.
      inside = undefined;
      return read(part, false);
    }
    return {
      total: Math.max(0, result.total_count - count),
      megabytes: result.total_filesize_mb,
      items: result.items.filter(isImage),
      folders,
      path: pathOf(result),
    };
  };
  return { key, read: (start, count, signal) => read({ start, count, signal }) };
}

/** The folders from the top to the one of an answer about its contents. */
function pathOf({ current_path_id, current_path }: Schemas['FolderContents']): Slice['path'] {
  const titles = current_path.split('/').filter(Boolean);
  const ids = current_path_id.split('/').filter(Boolean);
  return ids.map((id, depth) => ({ id, title: titles[depth] ?? '' }));
}

const readPath = async (access: Access, id: string, signal?: AbortSignal): Promise<Slice['path']> =>
  pathOf(await readContents(access, id, { start: 0, count: 1, signal }));

const isImage = (item: Item): item is ImageItem => !item.is_folder;

/** The folders in a folder, by title. */
export async function readFolders(
  access: Access,
  id: string,
  signal?: AbortSignal,
): Promise<Inside> {
  const { items, total_count: count } = await access.call((client) =>
    client.GET('/api/v1/users/{user_id}/folders/{folder_id}', {
      params: {
        path: { user_id: access.userId, folder_id: id },
        query: {
          get_image: 'False',
          sort_by: 'name',
          has_delete_at: 'False',
          page_size: maxFolders,
        },
      },
      ...(signal && { signal }),
    }),
  );
  return { folders: items.flatMap((item) => (item.is_folder ? [item.data] : [])), count };
}

/** The contents of a folder: folders, then images, the newest first. */
export const readContents = (access: Access, id: string, { start, count, signal }: Part) =>
  access.call((client) =>
    client.GET('/api/v1/users/{user_id}/folders/{folder_id}', {
      params: {
        path: { user_id: access.userId, folder_id: id },
        query: {
          sort_by: 'taken_at',
          sort_order: 'desc',
          has_delete_at: 'False',
          last_index: start,
          page_size: count,
        },
      },
      ...(signal && { signal }),
    }),
  );
