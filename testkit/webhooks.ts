import { rows } from '../src/database/sql.js';
import type { Queryable } from '../src/database/sql.js';
import { Changes } from '../src/changes/service.js';
import { resolveName } from '../src/webhooks/resolve.js';
import type { WebhookRecord, WebhookWithSecret } from '../src/webhooks/schemas.js';
import { Targets } from '../src/webhooks/target.js';
import { WebhookUpkeep } from '../src/webhooks/upkeep.js';
import type { Answer, Call } from './client.js';
import { done } from './expect.js';
import type { TestPlatform, TestService } from './service.js';

/** Settings of a service whose webhooks may be sent to this machine. */
export const loopbackAllowed = {
  'webhooks.allow_http': 'true',
  'webhooks.allow_networks': '127.0.0.0/8',
} as const;

/** A request about a platform's webhooks. @param path after `/webhooks`. */
export const hookCall = <R = WebhookRecord>(
  { client }: Pick<TestService, 'client'>,
  { id, token }: TestPlatform,
  [method, path]: readonly [method: string, path: string],
  call: Call = {},
): Promise<Answer<R>> =>
  client.request<R>(method, `/api/v1/platforms/${id}/webhooks${path}`, {
    as: ['Platform', token],
    ...call,
  });

/** A new webhook. */
export const hook = async (
  service: Pick<TestService, 'client'>,
  platform: TestPlatform,
  form: Record<string, string>,
): Promise<WebhookWithSecret> =>
  done(await hookCall<WebhookWithSecret>(service, platform, ['POST', ''], { form }));

/** Has everything that waits for its next attempt be due now. */
export const hurry = (db: Queryable): Promise<unknown> =>
  rows(db, 'UPDATE webhook_lanes SET due_at = now() WHERE claim IS NULL AND due_at > now()');

/** Where webhooks may be sent to in tests. */
export const targets = new Targets({
  'webhooks.allow_http': true,
  'webhooks.allow_networks': [loopbackAllowed['webhooks.allow_networks']],
});

/** What operators do with webhooks of a service. */
export function upkeepOf({ db, service: { tenants } }: TestService): WebhookUpkeep {
  const { clock, webhooks } = tenants;
  const posting = { targets, resolve: resolveName };
  return new WebhookUpkeep({ db, clock, webhooks, changes: new Changes(db, clock), posting });
}
