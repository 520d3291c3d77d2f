import { z } from 'zod';
import { id, timestamp, tokenUsed } from '../../http/record-fields.js';
import { integer, text } from '../../http/request-fields.js';

// In the order of their numbers in the table (migration 20).
export const types = [
  'image',
  'version',
  'folder',
  'memo',
  'custom',
  'upload_set',
  'user',
  'link',
] as const;
export const actions = ['created', 'updated', 'moved', 'restored', 'trashed', 'deleted'] as const;
export const actors = ['user', 'platform', 'admin', 'system'] as const;

/** Longest time that a request waits for a change, in seconds. */
const maxWait = 30;

const page = {
  limit: integer(1, 1000).default(100),
  wait: integer(0, maxWait).default(0).meta({ description: 'seconds to wait for the first entry' }),
};

export const userFeedQuery = z.object({
  after: integer(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ description: 'number of the last entry that the client has' }),
  ...page,
});

export const platformFeedQuery = z.object({
  after: text(1, 100)
    .optional()
    .meta({
      description: '`last` of the previous response; by default, starts at the first entry',
      example: 'A'.repeat(43),
    }),
  ...page,
});

const entry = {
  seq: z.int().meta({ description: "number in the user's sequence, which has no gaps" }),
  at: timestamp,
  type: z.enum(types),
  id: id.meta({ description: 'id of the changed record' }),
  action: z.enum(actions),
  image_id: id.optional().meta({ description: 'the image of a version, memo or custom' }),
  actor: z.enum(actors),
  token: tokenUsed.optional(),
};

const change = z.object(entry).meta({ id: 'Change' });
export type ChangeRecord = z.output<typeof change>;

const platformChange = z.object({ user_id: id, ...entry }).meta({ id: 'PlatformChange' });
export type PlatformChangeRecord = z.output<typeof platformChange>;

const more = z.boolean().meta({ description: 'whether there already are entries after `last`' });

export const userFeed = z
  .object({ changes: z.array(change), last: z.int(), more })
  .meta({ id: 'Changes' });
export type UserFeed = z.output<typeof userFeed>;

export const platformFeed = z
  .object({ changes: z.array(platformChange), last: z.string(), more })
  .meta({ id: 'PlatformChanges' });
export type PlatformFeed = z.output<typeof platformFeed>;

export const snapshotLines = z
  .object({ last: z.int() })
  .meta({ id: 'Snapshot', description: 'the first line of the stream' });
