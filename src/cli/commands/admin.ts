import { secondMs } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { createNarrow, isNarrow, narrowOptions, type NarrowWish } from './token.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'token',
      description: 'Issue an administrator token',
      options: narrowOptions,
      examples: ['admin token', 'admin token --name monitoring --allow read'],
      run: issueAdminToken,
    },
  ],
};

async function issueAdminToken(context: Context, wish: NarrowWish): Promise<void> {
  if (isNarrow(wish)) return createNarrow(context, {}, wish);
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
