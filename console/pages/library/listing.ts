import type { Answer, components } from '../../core/api';
import { apiDay } from '../../core/days';
import type { Access } from './access';
import type { Counted } from './buckets';
import { queryOf } from './view';
import type { View } from './view';

type Schemas = components['schemas'];
export type Image = Schemas['Image'];
export type Folder = Schemas['Folder'];
/** A folder, with what is in it, and the folders below it. */
export type CountedFolder = Schemas['FolderTree'];

/** What something is done to: images by their ids, or a folder. */
export interface Things {
  readonly images: readonly string[];
  readonly folder?: Folder;
}

/** Maximum items per page of the API. */
const maxPageSize = 1_000;

/** The day of an image in a list, `YYYYMMDD`. */
const dayIn = ({ sort }: View, { taken_at: taken, created_at: created }: Image): number =>
  Number((sort === 'taken_at' ? (taken ?? created) : created).slice(0, 8));

/** Days of a list, `YYYYMMDD`, both inclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** A part of a list that is asked for. */
export interface Part {
  /** Undefined: the whole list. */
  readonly period?: Period;
  /** Images of the period before it. */
  readonly offset: number;
  /** Where an earlier part ended: neither skips nor repeats, in place of the offset. */
  readonly cursor?: string | undefined;
  readonly count: number;
  /** Whether images have their memos. */
  readonly memos: boolean;
}

export interface Page {
  readonly images: readonly Image[];
  /** Of the whole period. */
  readonly megabytes: number;
  /** The cursor of what comes after it. */
  readonly next: string | null;
  readonly memos: boolean;
}

/** How a list is read. All of it throws Problem. */
export interface Source {
  /** Identifies the list. */
  readonly key: string;
  /** The day in which the list has an image. */
  dayOf(image: Image): number;
  /** What is in place of a day, if it has none; each is read alone. */
  readonly nameOf?: (day: number) => string;
  /** The days, newest first, and their tag; undefined if they are as when they had the known one. */
  days(
    known: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly days: readonly Counted[]; readonly tag: string | undefined } | undefined>;
  page(part: Part, signal: AbortSignal): Promise<Page>;
  /** Everything in a period, or in the list, page by page. */
  walk(period: Period | undefined, signal: AbortSignal): AsyncIterable<readonly Image[]>;
}

const periodOf = ({ from, to }: View): Period | undefined =>
  from || to
    ? { from: Number(apiDay(from || '1000-01-01')), to: Number(apiDay(to || '2999-12-31')) }
    : undefined;

/** The filters of a view, as operations on lists take them. */
export function filtersOf(view: View, period = periodOf(view)) {
  const { folder, search, searchIn, detailed, placed, camera, set, trash, circle } = view;
  const [latitude = 0, longitude = 0, radius = 0] = circle.split(',').map(Number);
  return {
    has_delete_at: trash ? ('True' as const) : ('False' as const),
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
    ...(period && {
      search_date_by: view.sort,
      days_or_date_range: 'date_range' as const,
      start_date: String(period.from),
      end_date: String(period.to),
    }),
    ...(circle && { latitude, longitude, radius }),
  };
}

const listPath = '/api/v1/users/{user_id}/images';

type Listed = Partial<ReturnType<typeof filtersOf>> & {
  readonly sort_by?: View['sort'];
  readonly with_custom?: 'True';
  readonly with_memo?: 'True';
  readonly last_index?: number;
  readonly cursor?: string;
  readonly page_size: number;
};

/** A page of a list. @throws Problem. */
export const listImages = (
  access: Access,
  query: Listed,
  signal?: AbortSignal,
): Promise<Schemas['ImageList']> =>
  access.call(async (client) => {
    const params = { path: { user_id: access.userId }, query };
    const answer = await client.GET(listPath, { params, ...(signal && { signal }) });
    // The type covers other views as well: a ZIP and a list of days.
    return answer as Answer<Schemas['ImageList']>;
  });

/** All pages of a list, each from where the one before ended. @throws Problem. */
export async function* pagesOf(
  access: Access,
  query: Omit<Listed, 'page_size'>,
  signal?: AbortSignal,
): AsyncGenerator<readonly Image[]> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const where = { ...query, ...(cursor && { cursor }), page_size: maxPageSize };
    const page = await listImages(access, where, signal);
    yield page.items;
    cursor = page.next_cursor;
  }
}

/** The list of a view, as it is read. */
export const sourceOf = (access: Access, view: View): Source => {
  const sort_by = view.sort;
  return {
    key: `${access.userId}${queryOf(view)}`,
    dayOf: (image) => dayIn(view, image),
    days: (known, signal) =>
      access.call(async (client) => {
        const { data, error, response } = await client.GET(`${listPath}/days`, {
          params: { path: { user_id: access.userId }, query: { ...filtersOf(view), sort_by } },
          headers: known === undefined ? {} : { 'If-None-Match': known },
          signal,
        });
        const tag = response.headers.get('etag') ?? undefined;
        if (response.status === 304) return { data: { result: undefined }, response };
        if (!data) return { error, response };
        return { data: { result: { days: data.result.days, tag } }, response };
      }),
    page: async ({ period, offset, cursor, count, memos }, signal) => {
      const where = {
        ...filtersOf(view, period),
        sort_by,
        page_size: count,
        ...(memos && { with_memo: 'True' as const }),
        ...(cursor === undefined ? { last_index: offset } : { cursor }),
      };
      const page = await listImages(access, where, signal);
      const { items: images, total_filesize_mb: megabytes, next_cursor: next } = page;
      return { images, megabytes, next, memos };
    },
    walk: (period, signal) => pagesOf(access, { ...filtersOf(view, period), sort_by }, signal),
  };
};

/** The folders that were trashed by themselves. */
export const trashedFolders = (access: Access, signal: AbortSignal): Promise<Folder[]> =>
  access.call((client) =>
    client.GET('/api/v1/users/{user_id}/folders', {
      params: { path: { user_id: access.userId }, query: { has_delete_at: 'True' } },
      signal,
    }),
  );

/** Of what is too wide or too high to be seen beside others, a part is shown. */
export function ratioOf({ resolution }: Image): number {
  const [width = 4, height = 3] = resolution.split('x').map(Number);
  return Math.min(4, Math.max(0.4, width / height || 4 / 3));
}
