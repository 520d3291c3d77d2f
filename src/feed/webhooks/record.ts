import type { WallClock } from '../../base/time.js';
import { eventTypes } from './event-types.js';
import type { WebhookRow } from './webhooks.sql.js';
import type { WebhookRecord } from './schemas.js';

/** A webhook as represented in the API. */
export const webhookRecord = (row: WebhookRow, clock: WallClock): WebhookRecord => ({
  id: row.id,
  url: row.url,
  types: row.types ?? [...eventTypes],
  description: row.description,
  state: row.pausedReason === null ? 'active' : 'paused',
  paused_reason: row.pausedReason,
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
});
