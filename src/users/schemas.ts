import { z } from 'zod';
import { optional, required, text } from '../http/fields.js';
import { id, timestamp, tokenFields } from '../http/records.js';

const platformUserId = text(1, 255);

export const newUser = z.object({ platform_user_id: required(platformUserId) });
export const userFilter = z.object({ platform_user_id: optional(platformUserId) });

export const createdUser = z.object({
  user_id: id,
  platform_id: id,
  platform_user_id: z.string(),
  ...tokenFields,
});
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

export const listedUser = userRecord.extend({
  access_token: z
    .string()
    .optional()
    .meta({ description: 'present only when the list is filtered by platform_user_id' }),
});
export type ListedUser = z.output<typeof listedUser>;
