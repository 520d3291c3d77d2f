import { rows, type Queryable } from '../src/database/sql.js';
import { Changes } from '../src/feed/changes/changes.js';
import { resolveName, Targets } from '../src/http/outgoing.js';
import type { WebhookRecord, WebhookWithSecret } from '../src/feed/webhooks/schemas.js';
import { WebhookUpkeep } from '../src/feed/webhooks/upkeep.js';
import type { Answer, Call } from './client.js';
import { done } from './expect.js';
import type { TestService } from './service.js';
import type { Tenant } from './world.js';

/** Settings of a service whose webhooks may be sent to this machine. */
export const loopbackAllowed = {
  'webhooks.allow_http': 'true',
  'webhooks.allow_networks': '127.0.0.0/8',
} as const;

/** Sends a request about a platform's webhooks. @param path after `/webhooks`. */
export const hookCall = <R = WebhookRecord>(
  { client }: Pick<TestService, 'client'>,
  { id, token }: Pick<Tenant, 'id' | 'token'>,
  [method, path]: readonly [method: string, path: string],
  call: Call = {},
): Promise<Answer<R>> =>
  client.request<R>(method, `/api/v1/platforms/${id}/webhooks${path}`, {
    as: ['Platform', token],
    ...call,
  });

/** Creates a webhook. */
export const hook = async (
  service: Pick<TestService, 'client'>,
  platform: Pick<Tenant, 'id' | 'token'>,
  form: Record<string, string>,
): Promise<WebhookWithSecret> =>
  done(await hookCall<WebhookWithSecret>(service, platform, ['POST', ''], { form }));

/** Makes all deliveries that wait for their next attempt due now. */
export const makeDue = (db: Queryable): Promise<unknown> =>
  rows(db, 'UPDATE webhook_lanes SET due_at = now() WHERE claim IS NULL AND due_at > now()');

/** Allows webhooks to this machine. */
export const targets = new Targets('webhooks', {
  'webhooks.allow_http': true,
  'webhooks.allow_networks': [loopbackAllowed['webhooks.allow_networks']],
});

/** The operators' webhook actions on a service. */
export function upkeepOf({ db, service: { tenants } }: TestService): WebhookUpkeep {
  const { clock, webhooks } = tenants;
  const posting = { targets, resolve: resolveName };
  return new WebhookUpkeep({ db, clock, webhooks, changes: new Changes(db, clock), posting });
}
