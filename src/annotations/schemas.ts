import { z } from 'zod';
import { text } from '../http/fields.js';
import { id, timestamp } from '../http/records.js';

export const memoMessage = text(1, 10_000);

export const memoRecord = z.object({
  id,
  image_id: id,
  message: z.string(),
  is_client: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: 'Memo' });
export type MemoRecord = z.output<typeof memoRecord>;

export const customRecord = z.object({
  id,
  image_id: id,
  key: z.string(),
  value: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: 'Custom' });
export type CustomRecord = z.output<typeof customRecord>;
