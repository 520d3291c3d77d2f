import { entityOf, now, timestamps } from '../../database/columns.js';

/** A URL that changes of a platform are sent to (docs/adr/0015). */
export const webhookColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  url: { type: 'text' },
  /** Which events are sent; all of them if null. */
  types: { type: 'text', array: true, nullable: true },
  description: { type: 'text', nullable: true },
  /** The secret, encrypted with the master key, and the one before the latest rotation. */
  sealed: { type: 'bytea' },
  sealedBefore: { name: 'sealed_before', type: 'bytea', nullable: true },
  rotatedAt: { name: 'rotated_at', type: 'timestamptz', nullable: true },
  /** Null while it is active. */
  pausedReason: { name: 'paused_reason', type: 'text', nullable: true },
  /** The last entry of the platform's feed that is in a lane or needs none. */
  position: { name: 'feed_position', type: 'bigint' },
  userId: { name: 'user_id', type: 'uuid' },
  seq: { type: 'bigint' },
  ...timestamps,
  /** Id and name of the narrow token that made it. */
  madeWith: { name: 'made_with', type: 'jsonb', nullable: true },
} as const;

export const WebhookEntity = entityOf('webhooks', webhookColumns);

const laneColumns = {
  webhookId: { name: 'webhook_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid', primary: true },
  /** The next entry to deliver has this number or a later one. */
  seq: { type: 'bigint' },
  /** The last entry to deliver; a lane before it is empty. */
  last: { type: 'bigint' },
  /** Failed attempts to deliver the next entry. */
  failures: { type: 'smallint', default: 0 },
  /** When the next attempt may begin; for a claimed lane, when the claim expires. */
  dueAt: { name: 'due_at', type: 'timestamptz', default: now },
  claim: { type: 'uuid', nullable: true },
} as const;

/** A user with entries that a webhook has yet to deliver. */
export const WebhookLaneEntity = entityOf('webhook_lanes', laneColumns);

export const deliveryColumns = {
  id: { type: 'bigint', primary: true, generated: true },
  webhookId: { name: 'webhook_id', type: 'uuid' },
  at: { type: 'timestamptz', default: now },
  messageId: { name: 'message_id', type: 'text' },
  type: { type: 'text' },
  userId: { name: 'user_id', type: 'uuid' },
  seq: { type: 'bigint' },
  attempt: { type: 'smallint' },
  /** HTTP status of the response; null if there was none. */
  status: { type: 'smallint', nullable: true },
  error: { type: 'text', nullable: true },
  ms: { type: 'integer' },
} as const;

/** One attempt to deliver an entry. */
export const WebhookDeliveryEntity = entityOf('webhook_deliveries', deliveryColumns);
