import { indexedResult, pageQuery } from '../../http/paging/pages.js';
import { z } from 'zod';
import { decimal, identifier, oneOf, text } from '../../http/request-fields.js';
import {
  inProgress,
  ext,
  id,
  megabytes,
  timestamp,
  tokenFields,
  withheldText,
} from '../../http/record-fields.js';

const platformUserId = text(1, 255);

export const newUser = z.object({ platform_user_id: platformUserId });

export const createdUser = z
  .object({ user_id: id, platform_id: id, platform_user_id: z.string(), ...tokenFields })
  .meta({ id: 'CreatedUser' });
export type CreatedUser = z.output<typeof createdUser>;

export const userRecord = z
  .object({
    id,
    platform_id: id,
    platform_user_id: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'User' });
export type UserRecord = z.output<typeof userRecord>;

export const userState = userRecord
  .extend({ suspended_at: timestamp.nullable().meta({ description: 'null: not suspended' }) })
  .meta({ id: 'UserState' });
export type UserState = z.output<typeof userState>;

export const listedUser = userRecord
  .extend({
    access_token: withheldText.optional().meta({
      description:
        'present only when the list is filtered by platform_user_id; null for a narrow token',
    }),
  })
  .meta({ id: 'ListedUser' });
export type ListedUser = z.output<typeof listedUser>;

/** More than any machine has, and bytes stay exact as numbers. */
const maxStorageMb = 1_000_000_000;
/** About one byte. */
const minStorageMb = 0.000001;

/** @param ceilingMb the highest quota that a user may be given. */
export const userChanges = (ceilingMb = maxStorageMb) =>
  z.object({ max_storage_mb: decimal(minStorageMb, ceilingMb).optional() });

const info = {
  image_count: z.int().meta({ description: 'images outside the trash' }),
  max_storage_mb: megabytes,
  used_storage_mb: megabytes.meta({
    ...ext,
    description: 'originals, edits, and the text of memos and customs, trash included',
  }),
  trash_image_count: z.int().meta(ext),
};

export const userInfo = z.object(info).meta({ id: 'UserInfo' });
export type UserInfo = z.output<typeof userInfo>;

export const updatedUser = z.object({ id, ...info }).meta({ id: 'UpdatedUser' });
export type UpdatedUser = z.output<typeof updatedUser>;

export const deletedUser = z
  .object({
    user_id: id,
    deleted_folders: z.int(),
    deleted_images: z.int(),
    in_progress: inProgress,
  })
  .meta({ id: 'DeletedUser' });
export type DeletedUser = z.output<typeof deletedUser>;

const search = text(1, 255)
  .optional()
  .meta({ description: 'part of a platform_user_id, case-insensitive' });

const { last_index, page_size, cursor } = pageQuery;
const paged = ' with it, the answer is a page';

/** Without any of the last four, the answer is a list of all users. */
export const userFilter = z.object({
  platform_user_id: platformUserId.optional(),
  search: search.meta({ ...ext, description: `part of a platform_user_id;${paged}` }),
  last_index: last_index
    .unwrap()
    .optional()
    .meta({ ...ext, description: `from 0;${paged}` }),
  cursor,
  page_size: page_size
    .unwrap()
    .optional()
    .meta({ ...ext, description: `1 to 1,000;${paged}` }),
});
export type UserFilter = z.output<typeof userFilter>;

export const userPage = z
  .object({ ...indexedResult, items: z.array(listedUser) })
  .meta({ id: 'UserPage' });
export type UserPage = z.output<typeof userPage>;

/** What accounts can be ordered by; users without any upload come last. */
const accountOrders = ['created_at', 'name', 'images', 'storage', 'last_upload'] as const;

export const accountPage = z.object({
  search,
  user_id: identifier.optional().meta({ description: 'only this user' }),
  state: oneOf(['active', 'suspended', 'full'])
    .optional()
    .meta({ description: 'full: stores as much as the quota allows, or more' }),
  sort_by: oneOf(accountOrders).default('created_at'),
  sort_order: oneOf(['asc', 'desc'])
    .default('asc')
    .meta({ description: 'asc: the oldest, the first by name, those with least' }),
  ...pageQuery,
});
export type AccountPage = z.output<typeof accountPage>;

export const accountList = z
  .object({
    ...indexedResult,
    items: z.array(
      z
        .object({
          id,
          platform_user_id: z.string(),
          created_at: timestamp,
          suspended_at: timestamp.nullable(),
          image_count: z.int().meta({ description: 'images outside the trash' }),
          trash_image_count: z.int(),
          used_storage_mb: megabytes.meta({
            description: 'originals, edits, and the text of memos and customs, trash included',
          }),
          max_storage_mb: megabytes,
          last_upload_at: timestamp.nullable().meta({
            description: 'when the newest image was made, trash included; null: none',
          }),
        })
        .meta({ id: 'Account' }),
    ),
  })
  .meta({ id: 'AccountList' });
export type AccountList = z.output<typeof accountList>;
