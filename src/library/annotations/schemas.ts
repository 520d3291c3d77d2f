import { z } from 'zod';
import { flag, text } from '../../http/request-fields.js';
import { id, timestamp } from '../../http/record-fields.js';

export const memoMessage = text(1, 10_000);

export const memoRecord = z
  .object({
    id,
    image_id: id,
    message: z.string(),
    is_client: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Memo' });
export type MemoRecord = z.output<typeof memoRecord>;

export const customRecord = z
  .object({
    id,
    image_id: id,
    key: z.string(),
    value: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Custom' });
export type CustomRecord = z.output<typeof customRecord>;

export const customKey = text(1, 255);
export const customValue = text(0, 10_000);

export const newMemo = z.object({ message: memoMessage, is_client: flag });
export const memoChanges = z.object({
  message: memoMessage.optional(),
  is_client: flag.optional(),
});
export const newCustom = z.object({ key: customKey, value: customValue });
export const customChanges = z.object({ key: customKey.optional(), value: customValue.optional() });
