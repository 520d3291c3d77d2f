import { z } from 'zod';
import { text } from '../../http/request-fields.js';
import { ext, id, megabytes, timestamp, tokenFields } from '../../http/record-fields.js';

const platformName = text(1, 255);

export const newPlatform = z.object({ platform: platformName.optional().meta(ext) });

const fields = { id, platform: z.string(), created_at: timestamp, updated_at: timestamp };

export const createdPlatform = z
  .object({ ...fields, ...tokenFields })
  .meta({ id: 'CreatedPlatform' });
export type CreatedPlatform = z.output<typeof createdPlatform>;

export const platformRecord = z
  .object({
    ...fields,
    user_count: z.int().meta(ext),
    suspended_at: timestamp
      .optional()
      .meta({ ...ext, description: 'since when; only while it is suspended' }),
  })
  .meta({ id: 'Platform' });
export type PlatformRecord = z.output<typeof platformRecord>;

export const listedPlatform = platformRecord
  .extend({
    image_count: z.int().meta({ ...ext, description: 'trash included' }),
    used_storage_mb: megabytes.meta({
      ...ext,
      description: 'originals, edits, and the text of memos and customs, trash included',
    }),
    last_upload_at: timestamp.nullable().meta({ ...ext, description: 'null: never' }),
  })
  .meta({ id: 'ListedPlatform' });
export type ListedPlatform = z.output<typeof listedPlatform>;

export const platformInfo = platformRecord
  .extend({
    image_count: z.int().meta({ description: 'images outside the trash' }),
    part_total_filesize_mb: megabytes.meta({
      description: 'current versions of images outside the trash',
    }),
    total_filesize_mb: megabytes.meta({
      description: 'originals, edits, and the text of memos and customs, trash included',
    }),
  })
  .meta({ id: 'PlatformInfo' });

export const platformLimits = z
  .object({
    suspended_at: timestamp.nullable(),
    max_storage_mb: megabytes.nullable().meta({ description: 'null: no limit' }),
    max_images: z.int().nullable(),
    max_users: z.int().nullable(),
    used_storage_mb: megabytes.meta({
      description: 'originals, edits, and the text of memos and customs, trash included',
    }),
    image_count: z.int().meta({ description: 'trash included' }),
    user_count: z.int(),
  })
  .meta({ id: 'PlatformLimits' });
