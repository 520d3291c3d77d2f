import type { Access } from './access';
import type { Folder, ImageItem, Item, Listing, Part, Slice } from './listing';

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
export function folderListing(access: Access, id: string, key: string): Listing {
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
    const ids = result.current_path_id.split('/').filter(Boolean);
    const titles = result.current_path.split('/').filter(Boolean);
    return {
      total: Math.max(0, result.total_count - count),
      megabytes: result.total_filesize_mb,
      items: result.items.filter(isImage),
      folders,
      path: ids.map((each, depth) => ({ id: each, title: titles[depth] ?? '' })),
    };
  };
  return { key, read: (start, count, signal) => read({ start, count, signal }) };
}

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
