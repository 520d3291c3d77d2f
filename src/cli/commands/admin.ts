import type { Context } from '../context.js';
import { withTenants } from '../tenants.js';
import { secondMs } from '../../units.js';

export async function issueAdminToken(context: Context): Promise<void> {
  const document = await withTenants(context, async ({ tokens }) => {
    const expiry = Date.now() + tokens.lifetime('admin') * secondMs;
    return { ...(await tokens.issue({})), expires_at: new Date(expiry).toISOString() };
  });
  context.ui.result({ document, text: document.access_token });
}
