import type { Answer, components } from '../../core/api';
import type { Access } from './access';
import { queryOf } from './view';
import type { View } from './view';

type Schemas = components['schemas'];
export type Image = Schemas['Image'];
export type Folder = Schemas['Folder'];
/** An item of a listing: an image or, first in folders, a folder. */
export type Item = Schemas['FolderEntry'] | Schemas['ImageEntry'];

export interface Slice {
  readonly total: number;
  readonly megabytes: number;
  readonly items: readonly Item[];
  /** For a folder: the titles and ids of its path from the top. */
  readonly path?: readonly { readonly id: string; readonly title: string }[];
}

/** A list that can be read from any position. */
export interface Listing {
  /** Identifies the list. */
  readonly key: string;
  read(start: number, count: number, signal?: AbortSignal): Promise<Slice>;
}

/** Maximum items per page of the API. */
export const maxPageSize = 1_000;

export function listingOf(access: Access, view: View): Listing {
  const key = `${access.userId}${queryOf(view)}`;
  const { folder } = view;
  return folder === undefined
    ? { key, read: (start, count, signal) => readImages(access, view, { start, count, signal }) }
    : { key, read: (start, count, signal) => readFolder(access, folder, { start, count, signal }) };
}

interface Part {
  readonly start: number;
  readonly count: number;
  readonly signal: AbortSignal | undefined;
}

const compact = (day: string): string => day.replaceAll('-', '');

async function readImages(access: Access, view: View, { start, count, signal }: Part) {
  const { search, searchIn, detailed, from, to, trash } = view;
  const result = await access.call(async (client) => {
    const answer = await client.GET('/api/v1/users/{user_id}/images', {
      params: {
        path: { user_id: access.userId },
        query: {
          has_delete_at: trash ? 'True' : 'False',
          ...(search && { search, search_type: searchIn }),
          ...(detailed && { has_det: detailed }),
          ...((from || to) && {
            days_or_date_range: 'date_range' as const,
            start_date: compact(from || '1970-01-01'),
            end_date: compact(to || '2999-12-31'),
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
  return {
    total: result.total_count,
    megabytes: result.total_filesize_mb,
    items: result.items.map((data) => ({ is_folder: false as const, data })),
  };
}

async function readFolder(access: Access, id: string, { start, count, signal }: Part) {
  const result = await access.call((client) =>
    client.GET('/api/v1/users/{user_id}/folders/{folder_id}', {
      params: {
        path: { user_id: access.userId, folder_id: id },
        query: {
          sort_by: 'created_at',
          sort_order: 'desc',
          has_delete_at: 'False',
          last_index: start,
          page_size: count,
        },
      },
      ...(signal && { signal }),
    }),
  );
  const ids = result.current_path_id.split('/').filter(Boolean);
  const titles = result.current_path.split('/').filter(Boolean);
  return {
    total: result.total_count,
    megabytes: result.total_filesize_mb,
    items: result.items,
    path: ids.map((each, depth) => ({ id: each, title: titles[depth] ?? '' })),
  };
}
