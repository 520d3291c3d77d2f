import { noteAct } from '../../http/audit/acts.js';
import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';
import { secondMs } from '../../base/units.js';

export async function issueAdminToken(context: Context): Promise<void> {
  const document = await withTenants(context, async ({ db, tokens }) => {
    const expiry = Date.now() + tokens.lifetime('admin') * secondMs;
    const pair = await db.transaction(async (tx) => {
      await noteAct(tx, { act: 'admin.token' });
      return tokens.issue({}, tx);
    });
    return { ...pair, expires_at: new Date(expiry).toISOString() };
  });
  context.ui.result({ document, text: document.access_token });
}
