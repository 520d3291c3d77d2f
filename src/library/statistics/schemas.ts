import { z } from 'zod';
import { calendarDay, identifier, oneOf } from '../../http/request-fields.js';
import { id, megabytes } from '../../http/record-fields.js';

export const range = z.object({
  start_date: calendarDay.meta({ description: 'first day' }),
  end_date: calendarDay.meta({ description: 'last day; days after today are omitted' }),
  sort_order: oneOf(['asc', 'desc']).default('asc'),
});
export type Range = z.output<typeof range>;

export const statistics = z
  .object({
    upload_camera: z.int(),
    upload_gallery: z.int(),
    upload_request: z.int(),
    total_upload: z.int(),
    edit_count: z.int(),
    delete_count: z.int().meta({
      description: 'images moved to the trash, or permanently deleted without going through it',
    }),
    total_images: z.int().meta({ description: 'images not in the trash' }),
    org_filesize_mb: megabytes,
    org_latest_filesize_mb: megabytes,
    total_filesize_mb: megabytes,
  })
  .meta({ id: 'Statistics' });
export type Statistics = z.output<typeof statistics>;

export const dayStatistics = z
  .object({
    date: z.int().meta({ description: 'YYYYMMDD', example: 20250131 }),
    stats: statistics,
  })
  .meta({ id: 'DayStatistics' });
export type DayStatistics = z.output<typeof dayStatistics>;

export const allRange = range.extend({
  platform_id: identifier
    .optional()
    .meta({ description: 'platform of `days` and `total`; by default, all platforms together' }),
});
export type AllRange = z.output<typeof allRange>;

/** Statistics of all platforms together or of one, and of each platform in the range. */
export const allStatistics = z
  .object({
    days: z.array(dayStatistics),
    total: statistics.meta({ description: 'counts since the beginning; current states' }),
    platforms: z
      .array(z.object({ platform_id: id, platform: z.string(), stats: statistics }))
      .meta({
        description: 'counts in the range; states at its end; the 1,000 platforms that store most',
      }),
  })
  .meta({ id: 'AllStatistics' });
export type AllStatistics = z.output<typeof allStatistics>;
