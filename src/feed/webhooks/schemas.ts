import { z } from 'zod';
import { id, timestamp, tokenUsed } from '../../http/record-fields.js';
import { integer, text, textList, textOrNull } from '../../http/request-fields.js';
import { actions, types as records } from '../changes/schemas.js';

const annotated = ['created', 'updated', 'deleted'] as const;

/** The possible actions on each type of record. */
const actionsOf = {
  image: actions,
  version: ['created'],
  folder: actions,
  memo: annotated,
  custom: annotated,
  upload_set: annotated,
  user: annotated,
  link: annotated,
} as const satisfies Record<(typeof records)[number], readonly (typeof actions)[number][]>;

/** The types of events: `image.created` and so on. */
export const eventTypes: readonly string[] = records.flatMap((type) =>
  actionsOf[type].map((action) => `${type}.${action}`),
);

/** Sent to webhooks that name it, and to no other: it is no change, and tells how much happens. */
export const checkpointType = 'checkpoint.created';

/** The types that a webhook may name. */
export const knownTypes: readonly string[] = [...eventTypes, checkpointType];

const url = text(1, 2_048).meta({
  description: 'URL that events are sent to: https, or http if the server allows it',
  example: 'https://example.com/hook',
});
const eventType = { error: `a list of ${knownTypes.join(', ')}` };
const known = new Set(knownTypes);

const types = textList(eventType, { example: 'image.created' })
  .transform((words, context): string[] => {
    if (words.every((word) => known.has(word))) return [...new Set(words)];
    context.addIssue(eventType.error);
    return z.NEVER;
  })
  .meta({
    description: `types of the events to send, by default all but the last: ${knownTypes.join(', ')}`,
  });
const description = textOrNull(1_000);

export const newWebhook = z.object({
  url,
  types: types.optional(),
  description: description.optional(),
});
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookChanges = newWebhook.extend({ url: url.optional() });
export type WebhookChanges = z.output<typeof webhookChanges>;

const fields = {
  id,
  url: z.string(),
  types: z.array(z.string()),
  description: z.string().nullable(),
  state: z.enum(['active', 'paused']),
  paused_reason: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  made_with: tokenUsed.nullable(),
};

export const webhookRecord = z.object(fields).meta({ id: 'Webhook' });
export type WebhookRecord = z.output<typeof webhookRecord>;

export const webhookWithSecret = z
  .object({
    ...fields,
    secret: z.string().meta({ description: 'signs the messages; shown only once' }),
  })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

/** Attempts that are kept for each webhook. */
export const keptAttempts = 1_000;

export const deliveryPage = z.object({ limit: integer(1, keptAttempts).default(20) });

export const webhookDelivery = z
  .object({
    at: timestamp,
    message_id: z.string(),
    type: z.string().meta({ example: 'image.created' }),
    user_id: id.meta({ description: 'of `checkpoint.created`, the id of the platform' }),
    seq: z.int().meta({ description: "number of the entry in the user's sequence" }),
    attempt: z.int().meta({ description: '1 for the first attempt to deliver the entry' }),
    status: z.int().nullable().meta({ description: 'of the response; null: there was none' }),
    error: z.string().nullable(),
    ms: z.int(),
    next_at: timestamp
      .nullable()
      .meta({ description: 'when it is attempted again; null: it has arrived, or is paused' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof webhookDelivery>;
