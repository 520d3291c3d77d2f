import type { Command } from 'commander';
import { runs } from '../context.js';
import { withTenants } from '../tenants.js';
import { secondMs } from '../../units.js';

export function registerAdmin(program: Command): void {
  const admin = program.command('admin').description('administrators');
  runs(admin.command('token').description('mint an administrator token'), async (context) => {
    const document = await withTenants(context, async ({ tokens }) => {
      const expiry = Date.now() + tokens.lifetime('admin') * secondMs;
      return { ...(await tokens.issue({})), expires_at: new Date(expiry).toISOString() };
    });
    context.ui.result({ document, text: document.access_token });
  });
}
