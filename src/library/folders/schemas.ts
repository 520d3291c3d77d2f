import { indexedResult, pageQuery } from '../../http/paging/pages.js';
import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { only, toFields } from '../../database/columns.js';
import { ext, id, inProgress, megabytes, timestamp } from '../../http/record-fields.js';
import { flag, oneOf, text, triState, asText, expecting } from '../../http/request-fields.js';
import { imageRecord } from '../images/schemas.js';
import { folderColumns } from './entity.js';
import type { FolderRow } from './folders.sql.js';

const maxLength = 255;

/** UTF-16 units of a title before normalizing, which joins up to four characters of two units each. */
const maxUnits = 8 * maxLength;

/** Titles are joined into paths such as `/a/b`; control characters would garble those as well. */
const forbidden = /[/\p{Cc}\p{Cs}]/u;

const words = expecting(
  `a title of 1 to ${maxLength} characters without "/" or control characters`,
);

function fits(title: string): boolean {
  const length = [...title].length;
  return length >= 1 && length <= maxLength && !forbidden.test(title);
}

/** A folder title: in NFC and trimmed, so that equal titles are equal bytes. */
export const folderTitle = z.preprocess(
  asText,
  z
    .string(words)
    .trim()
    // Before normalizing, which takes quadratic time for combining characters.
    .refine((title) => title.length <= maxUnits, { ...words, abort: true })
    .normalize('NFC')
    .trim()
    .refine(fits, words)
    .meta({ minLength: 1, maxLength }),
);

const parentId = text(0, 100).nullable().optional();

export const newFolder = z.object({
  title: folderTitle,
  parent_id: parentId.meta({ description: 'blank, empty, none, or absent: the top level' }),
});

export const treeQuery = z.object({
  has_delete_at: triState.optional(),
  with_counts: flag.default(false).meta({ ...ext, description: 'True: what is in each folder' }),
  parent_id: text(0, 100)
    .optional()
    .meta({ ...ext, description: 'only those directly in this folder; blank: at the top level' }),
});

export const folderTrash = z.object({
  delete: triState.optional().meta({ description: 'True: move to the trash; False: restore' }),
});

export const folderUpdate = z.object({
  title: folderTitle.nullable().optional(),
  parent_id: parentId.meta({
    description: 'a blank (null in JSON): the top level; empty or UNSET: no move',
  }),
});

export const contentsQuery = z.object({
  sort_by: oneOf(['created_at', 'updated_at', 'taken_at', 'name'])
    .default('created_at')
    .meta({ description: 'taken_at: created_at of folders, and of images without one' }),
  sort_order: oneOf(['asc', 'desc']).default('asc'),
  get_image: flag.default(true),
  ...pageQuery,
  with_history: flag.default(false),
  has_delete_at: triState.optional(),
  with_custom: triState.optional(),
  with_memo: triState.optional(),
});
export type ContentsQuery = z.output<typeof contentsQuery>;

export const folderRecord = z
  .object({
    id,
    user_id: id,
    title: z.string(),
    parent_id: id.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    delete_at: timestamp.nullable(),
  })
  .meta({ id: 'Folder' });
export type FolderRecord = z.output<typeof folderRecord>;

const counted = (description: string) => ({ ...ext, description: `with_counts: ${description}` });

/** What a folder contains, without the trash. */
const folderCounts = {
  image_count: z.int().optional().meta(counted('images in it')),
  image_count_below: z.int().optional().meta(counted('images in it and below')),
  first_taken_at: timestamp.nullable().optional().meta(counted('of these; created_at without one')),
  last_taken_at: timestamp.nullable().optional().meta(counted('of these; created_at without one')),
  cover: z
    .array(z.string())
    .optional()
    .meta(counted('thumb_url of the newest of these, up to four')),
};

export interface FolderTree extends FolderRecord, z.output<z.ZodObject<typeof folderCounts>> {
  readonly child_folders: FolderTree[];
}

export const folderTree: z.ZodType<FolderTree, FolderTree> = folderRecord
  .extend({
    ...folderCounts,
    get child_folders() {
      return z.array(folderTree);
    },
  })
  .meta({ id: 'FolderTree' });

const folderEntry = z.object({ is_folder: z.literal(true), data: folderRecord });
const imageEntry = z.object({ is_folder: z.literal(false), data: imageRecord });

export const folderContents = z
  .object({
    ...indexedResult,
    total_filesize_mb: megabytes,
    current_path: z.string(),
    current_path_id: z.string(),
    items: z.array(
      z.union([folderEntry.meta({ id: 'FolderEntry' }), imageEntry.meta({ id: 'ImageEntry' })]),
    ),
  })
  .meta({ id: 'FolderContents' });
export type FolderContents = z.output<typeof folderContents>;

export const changedFolder = folderRecord
  .extend({ in_progress: inProgress })
  .meta({ id: 'ChangedFolder' });

export const deletedFolders = z
  .object({
    deleted_folders: z.array(id),
    deleted_images: z.array(id),
    in_progress: inProgress,
  })
  .meta({ id: 'DeletedFolders' });
export type DeletedFolders = z.output<typeof deletedFolders>;

const plainFields = toFields(only(folderColumns, 'id', 'userId', 'title', 'parentId'));

/** A row as represented in the API. */
export const folderRecordOf = (row: FolderRow, clock: WallClock): FolderRecord => ({
  ...plainFields(row),
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
  delete_at: row.deletedAt && clock.format(row.deletedAt),
});
