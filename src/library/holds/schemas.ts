import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { indexedResult } from '../../http/paging/pages.js';
import { id, timestamp } from '../../http/record-fields.js';
import { clearable, dayOrTime, identifier, idList, text } from '../../http/request-fields.js';

/** Maximum number of images that one hold names. */
const maxImages = 1_000;

export const newHold = (clock: WallClock) =>
  z.object({
    reason: text(1, 1_000).meta({ description: 'why, for those who meet the hold' }),
    until: clearable(dayOrTime(clock)).optional().meta({
      description: 'when it ends, or the last day of it; by default, it lasts until it is released',
    }),
    image_ids: idList
      .refine((ids) => ids.length > 0 && new Set(ids).size <= maxImages, {
        error: `a list of 1 to ${maxImages.toLocaleString('en')} ids`,
      })
      .optional()
      .meta({ description: 'the images that it keeps; or else a folder or a user' }),
    folder_id: clearable(identifier)
      .optional()
      .meta({ description: 'the folder that it keeps, with what is and comes below it' }),
    user_id: clearable(identifier)
      .optional()
      .meta({ description: 'the user whom it keeps, with all images and folders' }),
  });
export type NewHold = z.output<ReturnType<typeof newHold>>;

export const holdRecord = z
  .object({
    id,
    reason: z.string(),
    until: timestamp.nullable(),
    image_ids: z.array(id).nullable(),
    folder_id: id.nullable(),
    user_id: id.nullable(),
    created_at: timestamp,
    created_by: z
      .enum(['platform', 'admin'])
      .meta({ description: 'what an administrator holds, only an administrator releases' }),
    released_at: timestamp.nullable(),
  })
  .meta({ id: 'Hold' });
export type HoldRecord = z.output<typeof holdRecord>;

export const holdList = z
  .object({ ...indexedResult, items: z.array(holdRecord) })
  .meta({ id: 'HoldList' });
