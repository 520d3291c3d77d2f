import type { Command } from 'commander';
import { runs } from '../context.js';
import { withTenants } from '../tenants.js';
import { tokenText, userText } from '../text.js';
import { whole } from '../../paging/batches.js';

export function registerUser(program: Command): void {
  const user = program.command('user').description('users of platforms');
  runs<{ platform: string; platformUserId: string }>(
    user
      .command('create')
      .description('create a user of a platform, and the first tokens')
      .requiredOption('--platform <id>', 'id of the platform')
      .requiredOption('--platform-user-id <id>', 'what the platform calls its user'),
    async (context, options) => {
      const { parseName } = await import('../names.js');
      const name = parseName('--platform-user-id', options.platformUserId);
      const document = await withTenants(context, async ({ platforms, users }) =>
        users.create((await platforms.get(options.platform)).id, name),
      );
      const text = userText({ ...document, id: document.user_id });
      context.ui.result({ document, text: `${text}\n${tokenText(document)}` });
    },
  );
  runs<{ platform: string }>(
    user
      .command('list')
      .description('all users of a platform')
      .requiredOption('--platform <id>', 'id of the platform'),
    async (context, options) => {
      const document = await withTenants(context, async ({ platforms, users }) =>
        whole(await users.list((await platforms.get(options.platform)).id)),
      );
      const text = document.map(userText).join('\n') || 'The platform has no users yet.';
      context.ui.result({ document, text });
    },
  );
  runs(
    user.command('token <id>').description('issue new tokens for a user'),
    async (context, _options, [id = '']) => {
      const document = await withTenants(context, ({ users }) => users.issueTokens(id));
      context.ui.result({ document, text: tokenText(document) });
    },
  );
}
