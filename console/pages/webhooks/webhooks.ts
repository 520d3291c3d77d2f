import { call } from '../../core/api';
import type { components } from '../../core/api';

export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
type WithSecret = components['schemas']['WebhookWithSecret'];

/** All operations on webhooks, of one platform. @throws Problem. */
export const listWebhooks = (platform_id: string, signal: AbortSignal): Promise<Webhook[]> =>
  call((client) =>
    client.GET('/api/v1/platforms/{platform_id}/webhooks', {
      params: { path: { platform_id } },
      signal,
    }),
  );

interface NewWebhook {
  readonly url: string;
  readonly description: string;
  /** Empty: all. */
  readonly types: string[];
}

export const createWebhook = (
  platform_id: string,
  { url, description, types }: NewWebhook,
): Promise<WithSecret> =>
  call((client) =>
    client.POST('/api/v1/platforms/{platform_id}/webhooks', {
      params: { path: { platform_id } },
      body: { url, ...(description && { description }), ...(types.length > 0 && { types }) },
    }),
  );

const one = '/api/v1/platforms/{platform_id}/webhooks/{webhook_id}';

export class WebhookActions {
  readonly #params: { readonly path: { platform_id: string; webhook_id: string } };

  constructor(platform_id: string, webhook_id: string) {
    this.#params = { path: { platform_id, webhook_id } };
  }

  deliveries = (signal: AbortSignal): Promise<WebhookDelivery[]> =>
    call((client) => client.GET(`${one}/deliveries`, { params: this.#params, signal }));

  pause = (): Promise<Webhook> =>
    call((client) => client.POST(`${one}/pause`, { params: this.#params }));

  resume = (): Promise<Webhook> =>
    call((client) => client.POST(`${one}/resume`, { params: this.#params }));

  rotate = (): Promise<WithSecret> =>
    call((client) => client.POST(`${one}/rotate`, { params: this.#params }));

  remove = (): Promise<Webhook> => call((client) => client.DELETE(one, { params: this.#params }));
}
