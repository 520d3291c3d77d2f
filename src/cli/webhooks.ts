import { Changes } from '../feed/changes/service.js';
import { resolveName, Targets } from '../feed/webhooks/target.js';
import { WebhookUpkeep } from '../feed/webhooks/upkeep.js';
import type { Context } from './context.js';
import { withTenants } from './tenants.js';

/** Runs `work` on the webhooks of a home, whether or not its service is running. */
export const withWebhooks = <T>(
  context: Context,
  work: (upkeep: WebhookUpkeep) => Promise<T>,
): Promise<T> =>
  withTenants(context, ({ db, config, clock, webhooks }) =>
    work(
      new WebhookUpkeep({
        db,
        clock,
        webhooks,
        changes: new Changes(db, clock),
        posting: { targets: new Targets(config), resolve: resolveName },
      }),
    ),
  );
