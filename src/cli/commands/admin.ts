import { secondMs } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'token',
      description: 'Issue an administrator token',
      examples: ['admin token', 'admin token --json'],
      run: issueAdminToken,
    },
  ],
};

async function issueAdminToken(context: Context): Promise<void> {
  const { noteAct } = await import('../../http/audit/acts.js');
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
