import { z } from 'zod';
import { operation, type Operation } from '../../http/operation.js';
import {
  deliveryPage,
  newWebhook,
  webhookChanges,
  webhookDelivery,
  webhookRecord,
  webhookWithSecret,
} from './schemas.js';
import type { Webhooks } from './webhooks.js';

const all = '/api/v1/platforms/:platform_id/webhooks' as const;
const one = `${all}/:webhook_id` as const;

interface Path {
  readonly platform_id: string;
  readonly webhook_id: string;
}

const keyOf = ({ platform_id: platformId, webhook_id: id }: Path) => ({ id, platformId });

const ofPlatform = { scheme: 'Platform', ext: true } as const;
const ofOne = { ...ofPlatform, path: one, errors: ['webhook_not_found'] } as const;

export const webhookOperations = (webhooks: Webhooks): Operation[] => [
  operation(
    {
      ...ofPlatform,
      id: 'createWebhook',
      allow: ['webhooks', 'read'],
      method: 'post',
      path: all,
      summary: "Send all future changes of the platform's users to a URL",
      body: newWebhook,
      result: webhookWithSecret,
      errors: ['too_many_webhooks'],
    },
    ({ path, input }) => webhooks.create(path.platform_id, input),
  ),
  operation(
    {
      ...ofPlatform,
      id: 'listWebhooks',
      allow: ['webhooks'],
      method: 'get',
      path: all,
      summary: 'List the webhooks of the platform, oldest first',
      result: z.array(webhookRecord),
    },
    ({ path }) => webhooks.list(path.platform_id),
  ),
  operation(
    {
      ...ofOne,
      id: 'getWebhook',
      allow: ['webhooks'],
      method: 'get',
      summary: 'Get one webhook',
      result: webhookRecord,
    },
    ({ path }) => webhooks.get(keyOf(path)),
  ),
  operation(
    {
      ...ofOne,
      id: 'listDeliveries',
      allow: ['webhooks'],
      method: 'get',
      path: `${one}/deliveries`,
      summary: 'List the latest attempts to deliver, newest first',
      query: deliveryPage,
      result: z.array(webhookDelivery),
    },
    ({ path, input }) => webhooks.deliveries(keyOf(path), input.limit),
  ),
  operation(
    {
      ...ofOne,
      id: 'updateWebhook',
      allow: ['webhooks', 'read'],
      method: 'put',
      summary: 'Change the URL, types or description of a webhook',
      body: webhookChanges,
      result: webhookRecord,
    },
    ({ path, input }) => webhooks.update(keyOf(path), input),
  ),
  operation(
    {
      ...ofOne,
      id: 'deleteWebhook',
      allow: ['webhooks'],
      method: 'delete',
      summary: 'Delete a webhook; undelivered events are dropped',
      result: webhookRecord,
    },
    ({ path }) => webhooks.remove(keyOf(path)),
  ),
  operation(
    {
      ...ofOne,
      id: 'rotateWebhook',
      allow: ['webhooks'],
      method: 'post',
      path: `${one}/rotate`,
      summary: 'Replace the secret; the previous one also signs for another 24 hours',
      result: webhookWithSecret,
    },
    ({ path }) => webhooks.rotate(keyOf(path)),
  ),
  operation(
    {
      ...ofOne,
      id: 'pauseWebhook',
      allow: ['webhooks'],
      method: 'post',
      path: `${one}/pause`,
      summary: 'Pause a webhook; events are delivered after it is resumed',
      result: webhookRecord,
    },
    ({ path }) => webhooks.pause(keyOf(path), 'paused by the platform'),
  ),
  operation(
    {
      ...ofOne,
      id: 'resumeWebhook',
      allow: ['webhooks'],
      method: 'post',
      path: `${one}/resume`,
      summary: 'Resume a paused webhook where it stopped',
      result: webhookRecord,
    },
    ({ path }) => webhooks.resume(keyOf(path)),
  ),
];
