import { indexedResult } from '../../http/paging/pages.js';
import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { id, timestamp } from '../../http/record-fields.js';
import {
  clearable,
  flag,
  identifier,
  idList,
  oneOf,
  text,
  wallTime,
} from '../../http/request-fields.js';

import { linkKinds } from './entity.js';

/** Maximum number of images that one link names. */
const maxImages = 1_000;

const imageIds = idList
  .refine((ids) => ids.length > 0 && new Set(ids).size <= maxImages, {
    error: `a list of 1 to ${maxImages.toLocaleString('en')} ids`,
  })
  .meta({ description: 'the images that it shows, in this order; in place of a folder' });

/** What `POST` and `PUT` take. */
const changeable = (clock: WallClock) => ({
  title: clearable(text(1, 255)).optional(),
  message: clearable(text(1, 10_000)).optional().meta({ description: 'what visitors read' }),
  password: clearable(text(1, 255)).optional().meta({
    description: 'visitors must enter it; empty: they need none',
  }),
  expires_at: wallTime(clock).optional().meta({ description: 'by default, in 30 days' }),
  allow_download: flag.optional().meta({
    description:
      'whether visitors may download; originals with their metadata leave only with `show_place`',
  }),
  show_place: flag
    .optional()
    .meta({ description: 'whether visitors see where pictures were made' }),
});

export const newLink = (clock: WallClock) =>
  z.object({
    kind: oneOf(linkKinds).meta({
      description: 'view: visitors see the images; request: they upload into the folder',
    }),
    folder_id: clearable(identifier)
      .optional()
      .meta({ description: 'the folder that it opens, with everything below it' }),
    image_ids: imageIds.optional(),
    ...changeable(clock),
  });
export type NewLink = z.output<ReturnType<typeof newLink>>;

export const linkChanges = (clock: WallClock) =>
  z.object({ ...changeable(clock), state: oneOf(['active', 'paused']).optional() });
export type LinkChanges = z.output<ReturnType<typeof linkChanges>>;

export const linkRecord = z
  .object({
    id,
    url: z.string().nullable().meta({
      description:
        'null where the token may not have it, and of links that an earlier release made',
    }),
    kind: z.enum(linkKinds),
    folder_id: id.nullable(),
    image_ids: z.array(id).nullable(),
    title: z.string().nullable(),
    message: z.string().nullable(),
    has_password: z.boolean(),
    allow_download: z.boolean(),
    show_place: z.boolean(),
    state: z.enum(['active', 'paused', 'expired']),
    expires_at: timestamp,
    visits: z.int().meta({ description: 'how often its page was opened' }),
    last_visit_at: timestamp.nullable(),
    arrivals: z
      .int()
      .meta({ description: 'files that visitors have sent, whatever became of them' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Link' });
export type LinkRecord = z.output<typeof linkRecord>;

export const linkList = z
  .object({
    ...indexedResult,
    items: z.array(linkRecord),
  })
  .meta({ id: 'LinkList' });
